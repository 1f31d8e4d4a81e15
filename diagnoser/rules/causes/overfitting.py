"""The cause `overfitting`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import last_by_place

MIN_PASSES = 5
RISEN = 1.3
"""Held-out loss at the end over its least value from which it has turned."""
FALLEN = 0.6
"""Training loss at the end over that at the turn: it goes on falling meanwhile."""
APART = 1.5
"""Held-out loss over training loss at the end."""


class Overfitting(Rule):
    """Training goes on improving while held-out data get worse.

    What it detects:
        A held-out loss that has its least value well before the end and rises from there, while the
        training loss goes on falling.
    Why it breaks training:
        The model learns the training rows by heart; what it adds after the turn holds only there.
    Evidence:
        loss.held_out: the held-out loss pass by pass, beside the training loss then.
    Example:
        for epoch in range(500):
            train(); validate()
    Use instead:
        for epoch in range(500):
            train()
            if validate() > best + margin:
                break
    Can be confused with:
        Dropout or batch-norm that are still on in evaluation; leakage; a shifted test set (the
        held-out loss is high from the start and does not turn: silent).
    Verify:
        Plot both losses over the epochs.
    Prevent:
        Stop early on held-out data, keep the best weights, and regularise.
    References:
        Prechelt, "Early Stopping - But When?" (1998).
    """

    slug: ClassVar[str] = "overfitting"
    title: ClassVar[str] = "Training improves while held-out data get worse"
    category: ClassVar[str] = "generalisation"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"overfitting": 0}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(val|test|held.?out)\w*( \w+){0,3} (is |are |was )?(ris|increas|grow|going up|"
            r"goes up|getting worse|climb)",
            8,
        ),
        Cue(r"no (augmentation|dropout|regulari[sz])|million parameters|\d+ ?m parameters", 5),
        Cue(r"(few|only|\d{2,3}) (images|pictures|rows|samples|patients)", 3),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.held_out",)
    fix_summary: ClassVar[str] = "Stop at the least held-out loss; regularise or get more data"
    prevention: ClassVar[str] = (
        "Stop early on held-out data, keep the best weights, and regularise."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = [
            record
            for record in examination.of("loss.held_out")
            if len(record.data.get("passes", ())) >= MIN_PASSES
        ]
        if not records:
            return [missing("fewer than five passes over held-out data computed a loss")]
        found = [finding for finding in (self._turn(examination, r) for r in records) if finding]
        return found or [silent("no held-out loss turns while the training loss goes on falling")]

    @staticmethod
    def _turn(examination: Examination, record: Record) -> Finding | None:
        passes = [[number(value) for value in entry] for entry in record.data["passes"]]
        if any(len(entry) != 3 or not all(map(math.isfinite, entry)) for entry in passes):
            return None
        best = min(range(len(passes)), key=lambda index: passes[index][1])
        around = passes[max(best - 1, 0) : best + 2]
        tail = passes[-3:]
        held, least = _mean(tail, 1), passes[best][1]
        trained, then = _mean(tail, 2), _mean(around, 2)
        turned = held >= RISEN * least > 0 and best <= 0.7 * len(passes)
        if not turned or trained > FALLEN * then or held < APART * trained:
            return None
        note = (
            f"The held-out loss is least ({least:.4g}) in pass {best + 1} of {len(passes)} and "
            f"ends at {held:.4g}, while the training loss goes on from {then:.4g} to {trained:.4g}"
        )
        places = [r.at for r in last_by_place(examination, "optimizer.summary")]
        fact = Fact("loss.held_out", note, record.at, record.step)
        asked = "overfitting" in examination.asked
        return fired(STRONG, fact, note, places=[*places[:1], record.at], direct=asked)


def _mean(entries: list[list[float]], column: int) -> float:
    return sum(entry[column] for entry in entries) / len(entries)
