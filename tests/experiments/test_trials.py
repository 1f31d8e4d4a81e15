"""Real arms: a rate that is too high is confirmed, an intervention that never acts is invalid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.experiments.trials import Arms, try_all
from diagnoser.rules.base import MODERATE, Trial
from diagnoser.rules.engine import judge
from diagnoser.rules.examination import ArmOutcome, Examination, parse_records
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner
from tests.rules.conftest import rule, says

Write = Callable[..., Path]

SCRIPT = """
    import torch
    torch.manual_seed(4)
    x = torch.randn(64, 4)
    y = x.sum(1, keepdim=True) + 0.1
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr={rate})
    for step in range(60):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(loss.item())
"""


@pytest.fixture
def try_trial(shared_runner: Runner, write_script: Write) -> Callable[..., tuple]:
    """Try one trial on the script at a learning rate, within a number of seconds."""

    def run(
        trial: Trial, rate: float, seconds: float = 600.0
    ) -> tuple[list[ArmOutcome], list[RunOutcome]]:
        request = RunRequest(script=write_script(SCRIPT.format(rate=rate)), seam={"steps": 200})
        probe = Examination(records=parse_records(shared_runner.run(request).records))
        candidates = judge(probe, [rule("a", says(MODERATE), trial=trial)]).judged
        left = itertools.count(seconds, -1.0).__next__
        arms = Arms(shared_runner, request, probe, left, 20.0, lambda _: None)
        return try_all(list(candidates), arms, thorough=False)

    return run


def test_a_smaller_rate_cures_a_run_that_explodes_on_two_seeds(try_trial) -> None:
    trial = Trial("scale_learning_rate", ({"factor": 0.1},))
    (outcome,), runs = try_trial(trial, rate=1.5)
    assert outcome.valid
    assert outcome.removed_symptom
    assert outcome.replaced >= 60
    assert len(outcome.plain) == len(outcome.changed) == 2
    assert all(not math.isfinite(end) or end > 1e3 for end in outcome.plain)
    assert all(end < 0.1 for end in outcome.changed)
    assert "2 seeds" in outcome.note
    assert [run.role for run in runs] == ["arm"] * 4


def test_strengths_are_tried_until_one_helps(try_trial) -> None:
    trial = Trial("scale_learning_rate", ({"factor": 0.9}, {"factor": 0.1}, {"factor": 0.01}))
    outcomes, _ = try_trial(trial, rate=1.5)
    assert [dict(outcome.params) for outcome in outcomes] == [{"factor": 0.9}, {"factor": 0.1}]
    assert [outcome.removed_symptom for outcome in outcomes] == [False, True]


def test_a_change_that_does_not_help_is_valid_and_removes_nothing(try_trial) -> None:
    trial = Trial("scale_learning_rate", ({"factor": 0.5},))
    (outcome,), _ = try_trial(trial, rate=0.05)
    assert outcome.valid
    assert not outcome.removed_symptom


def test_an_intervention_that_never_acts_is_invalid(try_trial) -> None:
    (outcome,), _ = try_trial(Trial("logits_into_loss"), rate=1.5)
    assert outcome.replaced == 0
    assert not outcome.valid
    assert not outcome.removed_symptom


def test_no_arm_is_started_without_the_time_for_it(try_trial) -> None:
    trial = Trial("scale_learning_rate", ({"factor": 0.1},))
    assert try_trial(trial, rate=1.5, seconds=30.0) == ([], [])
