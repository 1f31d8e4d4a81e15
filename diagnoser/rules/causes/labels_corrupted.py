"""The cause `labels-corrupted`."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import place_text

MIN_ROWS = 200
OVERFULL = 2.0
"""The last class over the median of the others from which labels look cut off at it."""


class LabelsCorrupted(Rule):
    """Preprocessing has changed labels so that they no longer name their class.

    What it detects:
        Labels that are all one class although the model has several outputs; or classes that never
        occur while the last one that does is overfull, as after a clip.
    Why it breaks training:
        The model learns what it is told: the lost classes are never answered, and the one that took
        their rows is a mixture.
    Evidence:
        batches.labels: labels by class over the batches looked at; loss.inputs: number of outputs.
    Example:
        rows = rows / 255.0
        x, y = rows[:, :-1], rows[:, -1].long()
    Use instead:
        x, y = rows[:, :-1] / 255.0, rows[:, -1].long()
    Can be confused with:
        A model with spare outputs (no class is overfull: silent); batches that arrive class by
        class (data-not-shuffled).
    Verify:
        Print the counts of the labels right before the loss and in the file.
    Prevent:
        Assert on the set of classes after preprocessing.
    References:
        Northcutt et al., "Pervasive Label Errors in Test Sets" (2021).
    """

    slug: ClassVar[str] = "labels-corrupted"
    title: ClassVar[str] = "Labels no longer name their class"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "underfitting": -6,
        "too-good": -7,
        "loss-flat": -9,
        "overfitting": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"class(es)? .{0,30}never (come|appear|predicted)", 6),
        Cue(r"predicts? (digit |class )?(zero|0) for", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("batches.labels", "loss.inputs")
    fix_summary: ClassVar[str] = "Leave the labels out of what is done to the features"
    prevention: ClassVar[str] = "Assert on the set of classes after preprocessing."

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("batches.labels")
        if record is None or int(record.data.get("rows", 0)) < MIN_ROWS:
            return [missing("fewer than 200 class labels were looked at")]
        counts = {int(label): int(count) for label, count in record.data["labels"].items()}
        losses = examination.of("loss.inputs")
        units = max((int(r.data.get("classes") or 0) for r in losses), default=0)
        rows = sum(counts.values())
        text = f"{rows} labels looked at are of {len(counts)} classes; the model has {units}"
        fact = Fact("batches.labels", text, record.at, record.step, dict(record.data))
        if units < 2 or max(counts) >= units:
            return [silent(text, facts=(fact,))]
        if len(counts) == 1:
            (label,) = counts
            note = (
                f"All {rows} labels looked at at {place_text(record.at)} are {label}, and the "
                f"model has {units} outputs"
            )
            whole = self._covered(examination, rows)
            weight = DECISIVE if whole else MODERATE
            return [fired(weight, fact, note, places=[record.at], direct=whole)]
        last = max(counts)
        others = statistics.median(count for label, count in counts.items() if label != last)
        if last >= units - 1 or counts[last] < OVERFULL * others or len(counts) < 3:
            return [silent(text, facts=(fact,))]
        note = (
            f"Classes {last + 1} to {units - 1} never occur in {rows} labels looked at, and class "
            f"{last} holds {counts[last]} of them, {counts[last] / others:.1f} times the median of "
            f"the others: labels are cut off at {last}"
        )
        return [fired(DECISIVE, fact, note, places=[record.at], direct=True)]

    @staticmethod
    def _covered(examination: Examination, rows: int) -> bool:
        """Whether as many labels were looked at as the largest loader has samples."""
        lengths = [int(r.data.get("length") or 0) for r in examination.of("loader.created")]
        return rows >= max(lengths, default=0)
