"""A script computes the same bits, watched or not: parameters, random streams, output, exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from diagnoser.evaluate.cases import load_cases
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner
from evidence_collectors.seam import discover
from tests.contracts.conftest import DIGEST, SCRIPTS, request_for

NAMES = sorted(path.stem for path in SCRIPTS.glob("*.py") if path.stem != DIGEST)
COLLECTORS = discover("collectors", "COLLECTOR")
LEAST_COLLECTORS = {"by_hand_numpy": 0, "by_hand_torch": 6}
"""How many collectors have something to see in a script; 9 where there is an optimizer."""

every_script = pytest.mark.parametrize("name", NAMES)


def bare_python(script: Path) -> tuple[int, str, str]:
    """Exit code, output and errors of `python script.py` without any of our code."""
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        cwd=script.parent,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def seen(outcome: RunOutcome) -> tuple[int | None, str]:
    return outcome.exit, outcome.stdout


def collectors_of(records: list[dict[str, Any]]) -> set[str]:
    """Names of the collectors that wrote any of the records."""
    kinds = {record["kind"] for record in records}
    return {collector.name for collector in COLLECTORS if kinds & set(collector.kinds)}


def kinds_of_heavy() -> set[str]:
    """Kinds of the collectors that run only when they are asked for by name."""
    heavy = [collector for collector in COLLECTORS if getattr(collector, "heavy", False)]
    return {kind for collector in heavy for kind in collector.kinds}


@every_script
def test_the_collectors_of_a_probe_run_change_nothing(
    name: str, observed_scripts: dict[str, RunOutcome]
) -> None:
    watched = observed_scripts[name]
    assert watched.start == "warm"
    assert [r for r in watched.records if r["kind"] == "collector.failed"] == []
    assert len(collectors_of(watched.records)) >= LEAST_COLLECTORS.get(name, 9)
    assert "values" in watched.stdout
    assert seen(watched) == bare_python(SCRIPTS / f"{name}.py")[:2]


@pytest.mark.parametrize("name", ["noise_layers", "ends_in_error", "lbfgs_closure"])
def test_messages_on_standard_error_stay_the_same(
    name: str, observed_scripts: dict[str, RunOutcome]
) -> None:
    assert observed_scripts[name].stderr == bare_python(SCRIPTS / f"{name}.py")[2]


@every_script
def test_the_seam_without_collectors_changes_nothing(
    name: str, observed_scripts: dict[str, RunOutcome], shared_runner: Runner
) -> None:
    request = RunRequest(script=SCRIPTS / f"{name}.py", seam={"collectors": []})
    unwatched = shared_runner.run(request)
    assert collectors_of(unwatched.records) == set()
    assert seen(unwatched) == seen(observed_scripts[name])


@every_script
def test_the_heavy_collectors_change_nothing_until_they_end_the_run(
    name: str,
    observed_scripts: dict[str, RunOutcome],
    closely_observed_scripts: dict[str, RunOutcome],
) -> None:
    light, heavy = observed_scripts[name], closely_observed_scripts[name]
    assert [r for r in heavy.records if r["kind"] == "collector.failed"] == []
    if heavy.exit is None:
        assert light.stdout.startswith(heavy.stdout)
        assert any(r["data"] for r in heavy.records if r["kind"] in kinds_of_heavy())
    else:
        assert seen(heavy) == seen(light)


@pytest.mark.parametrize("name", ["loader_workers", "noise_layers"])
def test_a_cold_start_with_all_collectors_changes_nothing(
    name: str, observed_scripts: dict[str, RunOutcome]
) -> None:
    with Runner(warm=False, threads=1) as runner:
        cold = runner.run(RunRequest(script=SCRIPTS / f"{name}.py", time_limit=120))
    assert len(collectors_of(cold.records)) >= 9
    assert seen(cold) == seen(observed_scripts[name])


def test_every_collector_took_part(
    observed_scripts: dict[str, RunOutcome],
    closely_observed_scripts: dict[str, RunOutcome],
    shared_runner: Runner,
    repository: Path,
) -> None:
    """A collector with nothing to see in the scripts is compared on the case that it was made for."""
    left = {collector.name for collector in COLLECTORS}
    for outcome in (*observed_scripts.values(), *closely_observed_scripts.values()):
        left -= collectors_of(outcome.records)
    for case in load_cases([repository / "eval_cases"]):
        if not left or case.broken is None or case.mode == "text":
            continue
        watched = shared_runner.run(request_for(case))
        if left & collectors_of(watched.records):
            assert seen(shared_runner.run(request_for(case, collectors=[]))) == seen(watched)
            left -= collectors_of(watched.records)
    assert left == set()
