"""Which candidates an experiment is worth for."""

from __future__ import annotations

import pytest

from diagnoser.experiments.plan import MAX_CANDIDATES, candidates_to_try
from diagnoser.rules.base import DECISIVE, MODERATE, STRONG, Finding, Rule, Trial, silent
from diagnoser.rules.engine import judge
from diagnoser.rules.examination import Examination
from tests.rules.conftest import rule, says

TRIAL = Trial("scale_learning_rate", ({"factor": 0.1},))
FLAT = Examination(asked=("loss-flat",))


def tried(*rules: Rule, fixable: tuple[str, ...] = (), thorough: bool = False) -> list[str]:
    chosen = candidates_to_try(judge(FLAT, rules), fixable, thorough=thorough)
    return [entry.rule.slug for entry in chosen]


def only_by_experiment(slug: str, *findings: Finding) -> Rule:
    made = rule(slug, *findings, trial=TRIAL)
    type(made).experiment_only = True
    return made


def test_a_suspected_cause_with_a_trial_is_tried() -> None:
    assert tried(rule("a", says(MODERATE), trial=TRIAL)) == ["a"]


@pytest.mark.parametrize("findings", [[], [silent("nothing")], [says(-MODERATE)]])
def test_a_cause_that_nothing_proposes_is_not_tried(findings: list[Finding]) -> None:
    assert tried(rule("a", *findings, trial=TRIAL)) == []


def test_a_cause_without_a_trial_is_not_tried() -> None:
    assert tried(rule("a", says(DECISIVE))) == []


def test_a_cause_with_an_exact_fix_is_settled_by_the_re_run() -> None:
    assert tried(rule("a", says(MODERATE), trial=TRIAL), fixable=("a",)) == []


def test_an_observed_defect_spares_the_causes_that_only_an_experiment_settles() -> None:
    observed = rule("seen", says(STRONG, direct=True))
    assert tried(observed, only_by_experiment("rate", says(MODERATE))) == []
    assert tried(observed, only_by_experiment("rate", says(MODERATE)), thorough=True) == ["rate"]
    assert tried(only_by_experiment("rate", says(MODERATE))) == ["rate"]


def test_the_best_come_first_and_only_a_few_unless_all_are_wanted() -> None:
    rules = [rule(f"r{n}", says(MODERATE), prior={"loss-flat": n}, trial=TRIAL) for n in range(5)]
    assert tried(*rules) == ["r4", "r3", "r2"][:MAX_CANDIDATES]
    assert len(tried(*rules, thorough=True)) == 5
