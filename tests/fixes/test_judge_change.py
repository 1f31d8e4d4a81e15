"""A change that no rule stands behind has more to show than one that a rule states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from diagnoser.fixes.verify import judge_change, judge_fix
from diagnoser.rules.base import DECISIVE
from diagnoser.rules.engine import Verdict, judge
from diagnoser.rules.examination import Examination, Record
from tests.rules.conftest import curve, raised, rule, says

FALLS = [2.0 * 0.9**step for step in range(60)]
FALLS_FURTHER = [2.0 * 0.8**step for step in range(60)]
FLAT = [2.3] * 60
NAN = [1.0] * 30 + [float("nan")] * 30
Side = tuple[Examination, Verdict]


def side(run: Examination, *causes: str, updates: int = 60, **changes: Any) -> Side:
    """A run with this many updates and the causes that were observed in it."""
    end = Record("run.end", updates, "train", 1.0, None, {"updates": updates})
    examination = replace(run, **{"exit": 0, **changes}, records=(*run.records, end))
    rules = [rule(cause, says(DECISIVE, direct=True)) for cause in causes]
    return examination, judge(examination, rules)


def nonfinite(run: Examination) -> Examination:
    """The run with the record of its first loss that is not finite."""
    record = Record("loss.nonfinite", 30, "train", 1.0, None, {"value": "nan"})
    return replace(run, records=(*run.records, record))


def test_a_little_lower_loss_is_not_enough() -> None:
    before, after = side(curve(FALLS)), side(curve(FALLS_FURTHER))
    assert judge_fix("other", before, after).verified == "verified"
    outcome = judge_change("other", before, after)
    assert outcome.verified == "symptom-remains"
    assert outcome.note == "no symptom that was there is gone"


def test_a_symptom_that_is_gone_is_enough() -> None:
    assert judge_change("other", side(curve(FLAT)), side(curve(FALLS))).verified == "verified"


def test_a_finding_that_is_gone_and_a_better_run_are_enough() -> None:
    before, after = side(curve(FALLS), "cause"), side(curve(FALLS_FURTHER))
    assert judge_change("cause", before, after).verified == "verified"


def test_a_symptom_that_can_no_longer_be_seen_is_not_gone() -> None:
    outcome = judge_change("other", side(curve(FLAT)), side(curve([0.1] * 3)))
    assert outcome.verified == "symptom-remains"


def test_a_script_that_learned_is_not_faulty_because_it_can_learn_faster() -> None:
    slow = [2.0 * 0.9 ** min(step, 20) for step in range(60)]
    before, after = side(curve(slow)), side(curve(FALLS))
    assert judge_change("other", before, after).note.startswith("the loss fell before")


def test_a_loss_that_is_finite_again_is_enough() -> None:
    before, after = side(nonfinite(curve(NAN))), side(curve(FALLS))
    assert judge_change("other", before, after).verified == "verified"


def test_a_script_that_does_less_than_before_is_not_repaired() -> None:
    outcome = judge_change("cause", side(curve(FLAT), "cause"), side(curve(FALLS), updates=5))
    assert outcome.verified == "symptom-remains"
    assert outcome.note == "the script makes 5 updates now, 60 before"


def test_a_run_cut_by_its_budget_may_have_done_less() -> None:
    after = side(curve(FALLS), updates=5, stopped="budget")
    assert judge_change("cause", side(curve(FLAT), "cause"), after).verified == "verified"


@pytest.mark.parametrize(
    ("made", "makes", "verified"),
    [
        (3, 60, "verified"),
        (60, 60, "verified"),
        (60, 10, "symptom-remains"),
        (0, 0, "symptom-remains"),
    ],
)
def test_an_exception_must_give_way_to_the_work_that_it_stopped(
    made: int, makes: int, verified: str
) -> None:
    before = side(raised("wrong shape"), "cause", updates=made, exit=1)
    assert judge_change("cause", before, side(curve(FALLS), updates=makes)).verified == verified


def test_a_script_without_updates_must_print_more() -> None:
    before = side(raised("wrong shape"), updates=0, exit=1, stdout="start\n")
    after = side(curve(FALLS), updates=0, stdout="start\ndone\n")
    assert judge_change("other", before, after).verified == "verified"
