"""Small examinations and rules that say what they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diagnoser.rules.base import Fact, Finding, Rule, Trial, fired
from diagnoser.rules.examination import ArmOutcome, Examination, Record
from diagnoser.schema import Location

LINE = Location(file="/home/me/train.py", line=7)


def says(
    decibans: int, *, direct: bool = False, note: str = "seen", place: Location | None = LINE
) -> Finding:
    """A finding that fired with this weight."""
    fact = Fact("loss.value", note, place)
    return fired(decibans, fact, note, places=[place], direct=direct)


def rule(
    slug: str,
    *findings: Finding,
    prior: Mapping[str, int] | None = None,
    level: int = 2,
    trial: Trial | None = None,
) -> Rule:
    """A rule that always gives these findings."""

    class Told(Rule):
        def weigh(self, examination: Examination) -> list[Finding]:
            return list(findings)

    Told.slug, Told.title, Told.category, Told.level = slug, slug, "test", level
    Told.prior = {"loss-flat": 0} if prior is None else prior
    Told.needs, Told.trial = ("loss.value",), trial
    Told.fix_summary = Told.prevention = "none"
    return Told()


def arm(name: str, *, removed: bool, valid: bool = True, **params: float) -> ArmOutcome:
    """What came of an intervention."""
    return ArmOutcome(
        intervention=name,
        params=params,
        measure="last loss",
        plain=(2.0, 2.0),
        changed=(0.1, 0.1) if removed else (2.0, 2.0),
        replaced=40 if valid else 0,
        valid=valid,
        removed_symptom=removed,
    )


def curve(*sites: Sequence[float], **more: Any) -> Examination:
    """An examination with a loss curve for each backward call site."""
    records = [
        Record("loss.value", step, "train", 0.0, None, {"value": value, "site": site})
        for site, values in enumerate(sites)
        for step, value in enumerate(values)
    ]
    return Examination(records=tuple(records), ran=True, **more)


def raised(message: str, kind: str = "RuntimeError") -> Examination:
    """A run that ended with an exception."""
    data = {"type": kind, "message": message, "frames": []}
    record = Record("exception.raised", 0, "train", 0.0, LINE, data)
    return Examination(records=(record,), ran=True, exit=1, stopped="crashed")
