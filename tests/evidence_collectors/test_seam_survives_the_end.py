"""What was seen before the end is in the record, however the process ends."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner

Write = Callable[..., Path]

TRAINING = """
    import torch
    weights = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([weights], 0.1)
    for step in range(6):
        optimizer.zero_grad()
        (weights - 1).square().sum().backward()
        optimizer.step()
    print("trained", flush=True)
"""
ENDS = {
    "import os; os._exit(7)": 7,
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)": -signal.SIGKILL,
    "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)": -signal.SIGSEGV,
    "import ctypes; ctypes.string_at(0)": -signal.SIGSEGV,
    "import os; os.abort()": -signal.SIGABRT,
}


def of_kind(outcome: RunOutcome, kind: str) -> list[dict[str, Any]]:
    return [record for record in outcome.records if record["kind"] == kind]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("way", ["shared_runner", "cold_runner"])
def test_a_sudden_end_loses_no_record(
    end: str, way: str, write_script: Write, request: pytest.FixtureRequest
) -> None:
    runner: Runner = request.getfixturevalue(way)
    outcome = runner.run(RunRequest(script=write_script(TRAINING + f"    {end}\n")))
    assert outcome.exit == ENDS[end]
    assert outcome.stdout == "trained\n"
    assert [record["step"] for record in of_kind(outcome, "loss.value")] == list(range(6))
    assert len(of_kind(outcome, "update.ratio")) >= 5
    assert of_kind(outcome, "gradients.bookkeeping")
    assert of_kind(outcome, "run.end") == []
    assert outcome.stopped == "crashed"


def test_a_clean_end_writes_the_last_records(shared_runner: Runner, write_script: Write) -> None:
    outcome = shared_runner.run(RunRequest(script=write_script(TRAINING)))
    assert [record["data"]["updates"] for record in of_kind(outcome, "run.end")] == [6]
    assert of_kind(outcome, "loss.last")


def test_an_exit_code_of_the_script_is_in_the_last_record(
    shared_runner: Runner, write_script: Write
) -> None:
    outcome = shared_runner.run(RunRequest(script=write_script("import sys; sys.exit(5)")))
    assert outcome.exit == 5
    assert [record["data"]["code"] for record in of_kind(outcome, "run.end")] == [5]


def test_an_exception_is_recorded_with_its_line(shared_runner: Runner, write_script: Write) -> None:
    script = write_script(TRAINING + "    weights @ torch.zeros(4)\n")
    outcome = shared_runner.run(RunRequest(script=script))
    raised = of_kind(outcome, "exception.raised")
    assert [record["data"]["type"] for record in raised] == ["RuntimeError"]
    assert raised[0]["at"]["file"] == str(script)
    assert raised[0]["at"]["line"] == 10
    assert outcome.exit == 1
