"""Decibans add up, settled causes explain others away, grades and ties follow the rules."""

from __future__ import annotations

import pytest

from diagnoser.rules.base import DECISIVE, MODERATE, STRONG, WEAK, Trial, missing, silent
from diagnoser.rules.engine import (
    CONFIRMED_BY_ARM,
    EXPLAINED_AWAY,
    NO_EFFECT,
    REFUTED_BY_ARM,
    UNLINKED_PRIOR,
    judge,
)
from diagnoser.rules.examination import Examination
from diagnoser.schema import Location
from tests.rules.conftest import LINE, arm, rule, says

FLAT = Examination(asked=("loss-flat",))


def decibans(*rules, examination: Examination = FLAT) -> dict[str, int]:
    return {entry.rule.slug: entry.decibans for entry in judge(examination, rules).judged}


def grades(*rules, examination: Examination = FLAT) -> dict[str, str]:
    return {entry.rule.slug: entry.grade for entry in judge(examination, rules).judged}


@pytest.mark.parametrize(
    ("weight", "odds"), [(WEAK, 2), (MODERATE, 4), (STRONG, 10), (DECISIVE, 100)]
)
def test_a_named_step_is_a_factor_in_the_odds(weight: int, odds: int) -> None:
    (entry,) = judge(FLAT, [rule("a", says(weight))]).judged
    assert entry.confidence / (1 - entry.confidence) == pytest.approx(odds, rel=0.01)


def test_prior_and_findings_add_up() -> None:
    findings = [says(STRONG), says(WEAK), says(-MODERATE), silent("nothing"), missing("loss")]
    assert decibans(rule("a", *findings, prior={"loss-flat": -4})) == {"a": -4 + 10 + 3 - 6}


def test_the_prior_is_the_best_of_the_symptoms_that_are_there() -> None:
    prior = {"loss-flat": -6, "underfitting": -2, "loss-nan": 0}
    examination = Examination(asked=("loss-flat", "underfitting"))
    assert decibans(rule("a", prior=prior), examination=examination) == {"a": -2}


def test_a_cause_of_other_symptoms_starts_low() -> None:
    assert decibans(rule("a", prior={"slow": 0})) == {"a": UNLINKED_PRIOR}


def test_a_settled_cause_explains_away_those_that_rest_on_the_same_symptom() -> None:
    settled = rule("a", says(DECISIVE, direct=True))
    same = rule("b", says(MODERATE))
    other = rule("c", says(MODERATE), prior={"slow": 0})
    assert decibans(settled, same, other) == {
        "a": DECISIVE,
        "b": MODERATE + EXPLAINED_AWAY,
        "c": UNLINKED_PRIOR + MODERATE,
    }


def test_two_settled_causes_leave_each_other_alone() -> None:
    both = [rule(slug, says(DECISIVE, direct=True)) for slug in ("a", "b")]
    verdict = judge(FLAT, both)
    assert [entry.decibans for entry in verdict.judged] == [DECISIVE, DECISIVE]
    assert [entry.rule.slug for entry in verdict.settled] == ["a", "b"]


def test_without_a_settled_cause_nothing_is_explained_away() -> None:
    assert decibans(rule("a", says(STRONG)), rule("b", says(WEAK))) == {"a": STRONG, "b": WEAK}


@pytest.mark.parametrize(
    ("findings", "grade"),
    [
        ([], "suspected"),
        ([says(DECISIVE)], "suspected"),
        ([says(MODERATE, direct=True)], "suspected"),
        ([says(STRONG, direct=True)], "observed"),
        ([silent("nothing seen")], "suspected"),
    ],
)
def test_observed_needs_a_defect_that_was_read_itself(findings: list, grade: str) -> None:
    assert grades(rule("a", *findings)) == {"a": grade}


TRIED = Trial("scale_learning_rate", ({"factor": 0.1},))


@pytest.mark.parametrize(
    ("findings", "removed", "grade", "change"),
    [
        ([says(MODERATE)], True, "confirmed", CONFIRMED_BY_ARM),
        ([says(MODERATE)], False, "refuted", REFUTED_BY_ARM),
        ([says(STRONG, direct=True)], True, "confirmed", CONFIRMED_BY_ARM),
        ([says(STRONG, direct=True)], False, "observed", NO_EFFECT),
        ([silent("nothing proposed it")], True, "suspected", 0),
        ([silent("nothing proposed it")], False, "suspected", 0),
        ([says(MODERATE), says(-WEAK)], True, "refuted", REFUTED_BY_ARM),
    ],
)
def test_an_arm_confirms_or_refutes_only_what_something_proposed(
    findings: list, removed: bool, grade: str, change: int
) -> None:
    arms = (arm("scale_learning_rate", removed=removed, factor=0.1),)
    examination = Examination(asked=("loss-flat",), arms=arms)
    tried = rule("a", *findings, trial=TRIED)
    assert grades(tried, examination=examination) == {"a": grade}
    stated = sum(finding.decibans for finding in findings)
    assert decibans(tried, examination=examination) == {"a": stated + change}


@pytest.mark.parametrize(
    "other",
    [
        arm("scale_learning_rate", removed=True, valid=False, factor=0.1),
        arm("scale_learning_rate", removed=True, factor=10.0),
        arm("zero_grads_before_backward", removed=True, factor=0.1),
    ],
)
def test_an_invalid_arm_or_one_of_another_kind_says_nothing(other) -> None:
    examination = Examination(asked=("loss-flat",), arms=(other,))
    tried = rule("a", says(MODERATE), trial=TRIED)
    assert grades(tried, examination=examination) == {"a": "suspected"}
    assert decibans(tried, examination=examination) == {"a": MODERATE}


def test_settled_causes_come_first_and_refuted_ones_last() -> None:
    arms = (arm("scale_learning_rate", removed=False, factor=0.1),)
    verdict = judge(
        Examination(asked=("loss-flat",), arms=arms),
        [
            rule("refuted", says(DECISIVE), says(DECISIVE), says(DECISIVE), trial=TRIED),
            rule("suspected", says(DECISIVE), says(DECISIVE), prior={"loss-flat": 9}),
            rule("observed", says(STRONG, direct=True), prior={"slow": 0}),
        ],
    )
    assert [entry.rule.slug for entry in verdict.judged] == ["observed", "suspected", "refuted"]


def test_a_tie_goes_to_the_lower_level_and_then_to_the_name() -> None:
    rules = [
        rule("c", says(STRONG), level=3),
        rule("b", says(STRONG), level=1),
        rule("a", says(STRONG), level=1),
    ]
    assert list(decibans(*rules)) == ["a", "b", "c"]


def test_what_could_not_be_judged_is_listed_with_what_was_missing() -> None:
    verdict = judge(
        FLAT,
        [
            rule("a", missing("no loss was seen")),
            rule("b", missing("no loss was seen"), silent("but the modes are right")),
        ],
    )
    assert verdict.missing == (("a", "no loss was seen"),)


def test_places_come_from_the_weightiest_finding_first_and_once() -> None:
    other = Location(file="/home/me/train.py", line=40)
    findings = [says(WEAK), says(DECISIVE, place=other), says(STRONG)]
    (entry,) = judge(FLAT, [rule("a", *findings)]).judged
    assert entry.places == (other, LINE)
