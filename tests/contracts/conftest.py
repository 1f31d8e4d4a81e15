"""Real runs whose records the contracts are checked on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diagnoser.evaluate.cases import Case, load_cases
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner
from evidence_collectors.seam import discover

SCRIPTS = Path(__file__).parent / "scripts"
CASES = ("loss-007", "modes-004", "optim-001", "shape-003")
"""Cases that are over soon and show much."""
STEPS = 60
DIGEST = "streams"


def request_for(case: Case, **seam: Any) -> RunRequest:
    """A short run of a case's broken script, or of the fixed one of a clean case."""
    folder = case.broken or case.fixed
    assert folder is not None
    script = None if case.mode == "command" else folder / (case.target or "")
    return RunRequest(
        script=script,
        args=case.args if script is not None else (),
        command=case.command if script is None else (),
        cwd=folder if script is None else None,
        seam={"stop_after_steps": STEPS, **seam},
    )


def run_scripts(runner: Runner, **seam: Any) -> dict[str, RunOutcome]:
    """Every script under the probes, by name."""
    return {
        path.stem: runner.run(RunRequest(script=path, time_limit=120, seam=seam))
        for path in sorted(SCRIPTS.glob("*.py"))
        if path.stem != DIGEST
    }


@pytest.fixture(scope="session")
def observed_scripts(shared_runner: Runner) -> dict[str, RunOutcome]:
    """Each script with the collectors of an ordinary probe run."""
    return run_scripts(shared_runner)


@pytest.fixture(scope="session")
def closely_observed_scripts(shared_runner: Runner) -> dict[str, RunOutcome]:
    """Each script with every collector; the heavy ones may end a run when they know enough."""
    names = [collector.name for collector in discover("collectors", "COLLECTOR")]
    return run_scripts(shared_runner, collectors=names)


@pytest.fixture(scope="session")
def real_runs(
    observed_scripts: dict[str, RunOutcome],
    closely_observed_scripts: dict[str, RunOutcome],
    shared_runner: Runner,
    repository: Path,
) -> dict[str, list[dict[str, Any]]]:
    """Records of the scripts, of a few cases, and of one run for each intervention."""
    runs = {name: outcome.records for name, outcome in observed_scripts.items()}
    for name, outcome in closely_observed_scripts.items():
        runs[f"{name}, closely"] = outcome.records
    for case in load_cases([repository / "eval_cases"]):
        if case.name in CASES:
            runs[case.name] = shared_runner.run(request_for(case)).records
    for part in discover("interventions", "INTERVENTION"):
        change = {"name": part.name, "params": {"factor": 0.1}}
        request = RunRequest(script=SCRIPTS / "gan.py", seam={"interventions": [change]})
        runs[part.name] = shared_runner.run(request).records
    return runs
