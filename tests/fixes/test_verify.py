"""A fix is verified only if its finding is gone, nothing new is there, and the run is better."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from diagnoser.fixes.verify import Outcome, judge_fix
from diagnoser.rules.base import DECISIVE
from diagnoser.rules.engine import Verdict, judge
from diagnoser.rules.examination import Examination
from tests.rules.conftest import curve, raised, rule, says

CLIMBS = [1.0 + 0.2 * step for step in range(60)]
FALLS = [2.0 * 0.9**step for step in range(60)]
FLAT = [2.3] * 60
Side = tuple[Examination, Verdict]


def side(run: Examination | Sequence[float], *causes: str, **changes: Any) -> Side:
    """A run and the causes that were observed in it."""
    examination = run if isinstance(run, Examination) else curve(run, exit=0)
    examination = replace(examination, **changes)
    rules = [rule(cause, says(DECISIVE, direct=True)) for cause in causes]
    return examination, judge(examination, rules)


def verdict(before: Side, after: Side) -> Outcome:
    return judge_fix("cause", before, after)


def test_the_finding_is_gone_and_the_loss_falls() -> None:
    outcome = verdict(side(CLIMBS, "cause"), side(FALLS))
    assert outcome.verified == "verified"
    assert outcome.before["last loss"] == CLIMBS[-2]
    assert outcome.after["last loss"] == FALLS[-2]


def test_an_exception_that_is_gone_is_verified() -> None:
    assert verdict(side(raised("wrong shape"), "cause"), side(FALLS)).verified == "verified"


def test_a_run_cut_by_its_time_limit_can_still_verify() -> None:
    outcome = verdict(side(CLIMBS, "cause"), side(FALLS, exit=None, stopped="budget"))
    assert outcome.verified == "verified"


def test_a_loss_that_was_not_finite_and_is_now_is_verified() -> None:
    assert verdict(side([1.0, float("nan")] * 20, "cause"), side(FLAT)).verified == "verified"


@pytest.mark.parametrize(
    ("before", "after", "state"),
    [
        (side(CLIMBS, "cause"), side(FALLS, "cause"), "symptom-remains"),
        (side(FLAT, "cause"), side(FLAT), "symptom-remains"),
        (side(FALLS, "cause"), side(CLIMBS), "symptom-remains"),
        (side(FALLS, "cause"), side([float("nan")] * 60), "symptom-remains"),
        (side(raised("a"), "cause"), side(raised("b")), "symptom-remains"),
        (side(CLIMBS, "cause"), side(raised("new")), "broke-script"),
        (side(CLIMBS, "cause"), side(FALLS, exit=1), "broke-script"),
        (side(CLIMBS, "cause"), side(FALLS, "another"), "broke-script"),
    ],
    ids=[
        "finding still there",
        "loss no better",
        "loss worse",
        "loss is nan now",
        "still an exception",
        "a new exception",
        "a new exit code",
        "a new cause",
    ],
)
def test_anything_less_is_not_verified(before: Side, after: Side, state: str) -> None:
    outcome = verdict(before, after)
    assert outcome.verified == state
    assert outcome.note


def test_a_second_fault_that_was_there_before_does_not_count_against_a_fix() -> None:
    outcome = verdict(side(CLIMBS, "cause", "another"), side(FALLS, "another"))
    assert outcome.verified == "verified"


def test_an_exit_code_that_the_script_always_had_is_no_failure() -> None:
    assert verdict(side(CLIMBS, "cause", exit=3), side(FALLS, exit=3)).verified == "verified"


def test_the_numbers_are_strict_json_with_the_last_line_that_was_printed() -> None:
    before = side([1.0, float("inf")], "cause", stdout="epoch 1\nrmse 139.6\n\n")
    outcome = verdict(before, side(FALLS, stdout="rmse 20.4\n"))
    assert outcome.before["printed"] == "rmse 139.6"
    assert outcome.after["printed"] == "rmse 20.4"
    assert json.loads(json.dumps([outcome.before, outcome.after], allow_nan=False))
