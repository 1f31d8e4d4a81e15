"""The probes start in whatever Python process a command ends up in, and stay out of the way."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner

Write = Callable[..., Path]

TRAIN = """
    import sys
    import torch
    weights = torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.SGD([weights], 0.1)
    for step in range(3):
        (weights - 1).square().sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    print(sys.argv[1:], __name__, __package__)
"""


def of_kind(outcome: RunOutcome, kind: str) -> list[dict[str, Any]]:
    return [record for record in outcome.records if record["kind"] == kind]


def test_a_module_of_a_package_is_watched(cold_runner: Runner, write_script: Write) -> None:
    script = write_script(TRAIN, "pkg/train.py")
    (script.parent / "__init__.py").touch()
    command = (sys.executable, "-m", "pkg.train", "--lr", "3")
    outcome = cold_runner.run(RunRequest(command=command, cwd=script.parent.parent))
    assert outcome.stdout == "['--lr', '3'] __main__ pkg\n", outcome.stderr
    assert outcome.failures == ()
    places = {(r["at"]["file"], r["at"]["line"]) for r in of_kind(outcome, "loss.backward")}
    assert places == {(str(script), 7)}


def test_a_shell_script_is_watched(cold_runner: Runner, write_script: Write) -> None:
    script = write_script(TRAIN)
    shell = write_script(f'cd "$(dirname "$0")" && exec {sys.executable} train.py a\n', "run.sh")
    outcome = cold_runner.run(RunRequest(command=("sh", str(shell)), cwd=script.parent))
    assert outcome.stdout == "['a'] __main__ None\n", outcome.stderr
    assert len(of_kind(outcome, "loss.value")) == 3


def test_a_process_that_replaces_itself_is_watched_before_and_after(
    cold_runner: Runner, write_script: Write
) -> None:
    script = write_script("""
        import os, sys
        if len(sys.argv) == 1:
            os.execv(sys.executable, [sys.executable, __file__, "again"])
        print("second life", sys.argv[1:])
    """)
    outcome = cold_runner.run(RunRequest(script=script))
    assert outcome.stdout == "second life ['again']\n", outcome.stderr
    starts = of_kind(outcome, "run.start")
    assert [start["data"]["argv"][1:] for start in starts] == [[], ["again"]]
    assert starts[0]["pid"] == starts[1]["pid"]
    assert len(of_kind(outcome, "run.end")) == 1


@pytest.mark.parametrize("way", ["cold_runner", "shared_runner"])
def test_a_script_without_torch_is_not_shown_torch(
    way: str, write_script: Write, request: pytest.FixtureRequest
) -> None:
    script = write_script("""
        import sys
        print([name for name in ("torch", "numpy", "diagnoser") if name in sys.modules])
        print(sum(range(10)))
    """)
    runner: Runner = request.getfixturevalue(way)
    outcome = runner.run(RunRequest(script=script))
    assert of_kind(outcome, "collector.failed") == []
    assert len(of_kind(outcome, "run.end")) == 1
    assert outcome.stdout == "[]\n45\n"
    assert of_kind(outcome, "run.torch") == []


def test_children_in_python_write_a_record_of_their_own(
    cold_runner: Runner, write_script: Write
) -> None:
    script = write_script("""
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "print('child')"])
    """)
    outcome = cold_runner.run(RunRequest(script=script))
    assert outcome.stdout == "child\n"
    assert len({start["pid"] for start in of_kind(outcome, "run.start")}) == 2


def test_a_forked_child_writes_nothing_into_its_parents_record(
    cold_runner: Runner, write_script: Write
) -> None:
    script = write_script("""
        import os, sys
        child = os.fork()
        if child == 0:
            sys.exit(4)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    outcome = cold_runner.run(RunRequest(script=script))
    assert outcome.stdout == "4\n"
    assert len(of_kind(outcome, "run.end")) == 1


@pytest.mark.parametrize("body", ["print('mine', __name__)", "raise ValueError('mine')"])
def test_the_users_own_sitecustomize_still_runs(
    body: str, cold_runner: Runner, write_script: Write
) -> None:
    script = write_script("""
        import sys, sitecustomize
        print(sitecustomize.__file__, any("evidence_collectors" in entry for entry in sys.path))
    """)
    own = write_script(body, "site/sitecustomize.py")
    env = {"PYTHONPATH": str(own.parent)}
    outcome = cold_runner.run(RunRequest(script=script, env=env))
    bare = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        cwd=script.parent,
    )
    assert (outcome.exit, outcome.stdout) == (bare.returncode, bare.stdout)
    assert "mine" in outcome.stdout + outcome.stderr
    assert len(of_kind(outcome, "run.end")) == 1


def test_a_configuration_that_cannot_be_read_is_noted_and_the_script_runs(
    write_script: Write, tmp_path: Path
) -> None:
    import evidence_collectors

    site = Path(evidence_collectors.__file__).parent / "_site"
    (tmp_path / "record").mkdir()
    config = tmp_path / "record" / "config.json"
    config.write_text("{cut")
    done = subprocess.run(
        [sys.executable, str(write_script("print('runs')"))],
        env={**os.environ, "PYTHONPATH": str(site), "DIAGNOSER_SEAM": str(config)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "runs\n", "")
    notes = list(config.parent.glob("*-failed.jsonl"))
    assert len(notes) == 1
    assert '"kind": "seam.failed"' in notes[0].read_text()
