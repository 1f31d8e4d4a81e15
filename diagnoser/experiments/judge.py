"""Reads an arm against the unchanged one: did the one change remove the symptom?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from diagnoser.rules.examination import Examination

LEARNS = 0.3
"""Share by which an arm's own loss must fall from first to last to count as learning."""
BETTER = 0.7
"""An arm must end at or below this share of the unchanged arm's loss on the same seed."""

FASTER = 0.8
"""A change of speed counts from a fifth on; less lies within what timings vary by."""
MIN_TIMED = 3


def ends_of(examination: Examination) -> tuple[float, float]:
    """First and last loss of a run (medians of the edges); NaN where it is not finite."""
    curve = examination.curve
    if curve is None:
        return math.nan, math.nan
    tail = curve.values[-max(1, len(curve.values) // 20) :]
    if any(not math.isfinite(value) for value in tail):
        return curve.edge(end=False), math.nan
    return curve.edge(end=False), curve.edge(end=True)


def removed(plain: tuple[float, float], changed: tuple[float, float]) -> bool:
    """Whether the changed arm learns where the unchanged one does not, on one seed.

    An improvement that leaves the symptom is not enough: the arm's own loss must fall by `LEARNS`
    and end well under the unchanged arm's, which is not finite or has not fallen as far.
    """
    first, last = changed
    if not (math.isfinite(first) and math.isfinite(last)):
        return False
    start = plain[0] if math.isfinite(plain[0]) else first
    if (start - last) < LEARNS * abs(start):
        return False
    if not math.isfinite(plain[1]):
        return True
    return (plain[1] - last) >= (1 - BETTER) * max(abs(plain[1]), 1e-9)


def seconds_per_update(examination: Examination) -> float:
    """Wall seconds an update after the first one; NaN where too few were timed."""
    split = examination.data("time.split")
    updates = int(split.get("updates", 0) or 0)
    wall = float(split.get("wall", 0.0) or 0.0)
    return wall / updates if updates >= MIN_TIMED and wall > 0 else math.nan


def faster(plain: float, changed: float) -> bool:
    """Whether an update takes at most `FASTER` of its time in the unchanged arm."""
    return changed <= FASTER * plain


def same_start(plain: Sequence[float], changed: Sequence[float]) -> bool:
    """The first loss of an arm that acts from the second update on is the unchanged arm's."""
    return all(
        a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(plain, changed, strict=False)
    )
