"""The one word for an answer: diagnosed, healthy, inconclusive, not reproduced, not run."""

from __future__ import annotations

from collections.abc import Sequence

from diagnoser.report.work import Work
from diagnoser.rules.engine import Judged
from diagnoser.schema import Status

SERIOUS = frozenset({"loss-nan", "loss-explodes", "out-of-memory", "crash"})
"""Symptoms whose presence alone forbids to say that nothing is wrong."""


def status_of(work: Work, shown: Sequence[Judged]) -> Status:
    """What can be said: a fault, nothing wrong, or why neither."""
    examination, verdict = work.examination, work.verdict
    if work.kind in ("words", "text"):
        return "diagnosed" if shown else "not-run"
    if not work.runs:
        return "not-run"
    if verdict.settled:
        return "diagnosed"
    present = {reading.slug for reading in verdict.symptoms if reading.present == "yes"}
    if not examination.ran or present & SERIOUS or work.runs[0].stopped in ("crashed", "killed"):
        return "inconclusive"
    if "loss-flat" in present:
        return "inconclusive"
    if examination.curve is None:
        return "inconclusive"
    asked_seen = [r for r in verdict.symptoms if r.slug in examination.asked]
    if (
        work.runs[0].stopped == "budget"
        and asked_seen
        and all(r.present == "no" for r in asked_seen)
    ):
        return "not-reproduced"
    return "healthy"
