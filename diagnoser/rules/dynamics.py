"""What rules of training dynamics share: how much was learnt, and what an experiment settles."""

from __future__ import annotations

import math
from collections.abc import Sequence

from diagnoser.rules.base import MODERATE, STRONG, Fact, Finding, Rule, fired
from diagnoser.rules.examination import Examination
from diagnoser.schema import Location


def learnt(examination: Examination) -> float:
    """Share of the first loss that was lost by the end; NaN where the ends are not finite."""
    curve = examination.curve
    if curve is None:
        return math.nan
    first, last = curve.edge(end=False), curve.edge(end=True)
    return (first - last) / max(abs(first), 1e-12)


def by_experiment(
    rule: Rule,
    examination: Examination,
    note: str,
    fact: Fact,
    places: Sequence[Location | None],
    how: str = "without it",
) -> Finding:
    """A setting that is suspected; it is settled if the arm without it learns and this does not.

    The arm is named by the rule's trial; it must help on two seeds.
    """
    assert rule.trial is not None
    arm = examination.arm(rule.trial.intervention, rule.strengths(examination))
    if arm is None or not arm.removed_symptom:
        return fired(MODERATE, fact, note, places=places)
    told = f"{note}; {how} {arm.note}"
    facts = [fact, Fact("experiment.arm", f"{how[0].upper()}{how[1:]} {arm.note}", fact.at)]
    return fired(STRONG, facts, told, places=places)
