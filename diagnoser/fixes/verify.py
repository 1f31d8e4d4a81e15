"""Judges a re-run with a fix against the probe run: did the cause and the symptom go away?"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from diagnoser.experiments.judge import LEARNS, ends_of, removed
from diagnoser.rules.engine import Verdict
from diagnoser.rules.examination import Examination
from diagnoser.schema import Verified

IMPROVED = 0.03
"""The last loss must fall by this share for a fix to count, unless the symptom itself is gone."""


@dataclass(frozen=True)
class Outcome:
    """What the re-run with the fix showed, with the numbers before and after."""

    verified: Verified
    before: dict[str, float | str | None]
    after: dict[str, float | str | None]
    note: str
    worse: bool = False
    """The finding is gone and the run is clearly worse: what was changed was no fault."""

    @property
    def fields(self) -> dict[str, Any]:
        """What a `Fix` says of its re-run."""
        return {"verified": self.verified, "before": self.before, "after": self.after}


WORSE = 1.25
"""The last loss with the change over that without it, from which the change did harm."""


def judge_fix(
    cause: str,
    before: tuple[Examination, Verdict],
    after: tuple[Examination, Verdict],
    *,
    by_loss: bool = True,
) -> Outcome:
    """Verified: the cause's finding is gone, nothing new is found, and the run is better.

    Better means that a symptom that was present or an exception is gone, or that the loss ends
    lower; a loss that the fix puts on another scale is judged by its own fall too. Where the loss
    is no measure of the cause (`by_loss` False), the script must do the work that it did, and
    print something else.
    """
    old, old_verdict = before
    new, new_verdict = after
    numbers = _numbers(old), _numbers(new)
    crashed = new.last("exception.raised") is not None or (
        new.exit not in (0, None) and old.exit in (0, None)
    )
    was_crashed = old.last("exception.raised") is not None
    if crashed:
        state: Verified = "symptom-remains" if was_crashed else "broke-script"
        return Outcome(state, *numbers, "the script ended with an error")
    known = {entry.rule.slug for entry in old_verdict.settled}
    fresh = {entry.rule.slug for entry in new_verdict.settled}
    if cause in fresh:
        return Outcome("symptom-remains", *numbers, "the same finding is still there")
    if fresh - known:
        new_ones = ", ".join(sorted(fresh - known))
        return Outcome("broke-script", *numbers, f"the re-run shows {new_ones}")
    if not by_loss and not was_crashed:
        if new.updates < KEPT_WORK * old.updates or new.stdout == old.stdout:
            return Outcome("symptom-remains", *numbers, "the finding is gone, nothing else changed")
        return Outcome("verified", *numbers, "the finding is gone and the script prints otherwise")
    if was_crashed or _better(old, new) or _symptom_gone(old_verdict, new_verdict):
        return Outcome("verified", *numbers, "the finding is gone and the run is better")
    note = "the finding is gone, the loss is no better"
    if new.last("loss.nonfinite") is not None:
        note = "the loss is still not finite"
    return Outcome("symptom-remains", *numbers, note, _worse(old, new))


def judge_change(
    cause: str,
    before: tuple[Examination, Verdict],
    after: tuple[Examination, Verdict],
) -> Outcome:
    """The same for a change that no rule stands behind, with more to show.

    A loss that ends a little lower is not enough, since nearly any change does that somewhere: the
    cause's own finding, or a symptom that was there, must be gone, and the script must do the work
    that it did.
    """
    (old, old_verdict), (new, new_verdict) = before, after
    judged = judge_fix(cause, before, after)
    if judged.verified != "verified":
        return judged
    note = ""
    if old.last("exception.raised") is not None:
        if not _went_further(old, new):
            note = "the exception is gone, and so is the work that it stopped"
    elif new.updates < KEPT_WORK * old.updates and new.stopped != "budget":
        note = f"the script makes {new.updates} updates now, {old.updates} before"
    elif cause not in {entry.rule.slug for entry in old_verdict.settled}:
        read = {row.slug: row.present for row in new_verdict.symptoms}
        there = [row.slug for row in old_verdict.symptoms if row.present == "yes"]
        gone = {slug for slug in there if read.get(slug) == "no"}
        if not gone:
            note = "no symptom that was there is gone"
        elif not gone & SERIOUS and not _learns_now(ends_of(old), ends_of(new)):
            note = "the loss fell before and falls now: no proof of a fault"
    return replace(judged, verified="symptom-remains", note=note) if note else judged


SERIOUS = frozenset({"loss-nan", "loss-explodes", "crash", "out-of-memory"})
"""Symptoms that no healthy script shows."""
KEPT_WORK = 0.9
"""A repaired script makes at least this share of the updates that it made before."""


def _learns_now(before: tuple[float, float], after: tuple[float, float]) -> bool:
    """Whether the loss falls now and did not before, as in an experiment.

    A script that learned may well learn faster with another rate; that makes it no faulty script.
    """
    first, last = before
    learned = math.isfinite(last) and (first - last) >= LEARNS * abs(first)
    return not learned and removed(before, after)


def _went_further(old: Examination, new: Examination) -> bool:
    """Whether a script that had ended with an exception does what it was stopped from doing."""
    if new.updates or old.updates:
        return new.updates > old.updates or (new.updates == old.updates and new.exit == 0)
    return new.exit == 0 and len(new.stdout) > len(old.stdout)


def _worse(old: Examination, new: Examination) -> bool:
    """A loss that fell well without the change ends much higher with it."""
    (first, last), (_, end) = ends_of(old), ends_of(new)
    if not (math.isfinite(first) and math.isfinite(last)) or last > 0.5 * first or last <= 0:
        return False
    return not math.isfinite(end) or end > WORSE * last


def _better(old: Examination, new: Examination) -> bool:
    (first, last), (start, end) = ends_of(old), ends_of(new)
    if not math.isfinite(end):
        return False
    if not math.isfinite(last):
        return True
    gained = last - end
    own = (start - end) / max(abs(start), 1e-12) > (first - last) / max(
        abs(first), 1e-12
    ) + IMPROVED
    return gained > IMPROVED * max(abs(last), 1e-12) or own


def _symptom_gone(old: Verdict, new: Verdict) -> bool:
    present = {reading.slug for reading in old.symptoms if reading.present == "yes"}
    remains = {reading.slug for reading in new.symptoms if reading.present == "yes"}
    return bool(present - remains)


def _numbers(examination: Examination) -> dict[str, float | str | None]:
    first, last = ends_of(examination)
    printed = [line.strip() for line in examination.stdout.splitlines() if line.strip()]
    return {
        "first loss": first if math.isfinite(first) else str(first),
        "last loss": last if math.isfinite(last) else str(last),
        "updates": float(examination.updates),
        "printed": printed[-1][:300] if printed else None,
    }
