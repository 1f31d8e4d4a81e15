"""The cause `data-not-shuffled`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination
from diagnoser.schema import Location

MIN_BATCHES = 8
MIN_ROWS = 4
FEWER = 0.6
"""Classes in a batch over those that a random draw would hold, from which batches are ordered."""
MIN_EXPECTED = 1.5


class DataNotShuffled(Rule):
    """Training batches arrive ordered by class.

    What it detects:
        Batches of class labels that hold far fewer classes than a random draw of their size from
        the labels seen would hold.
    Why it breaks training:
        The model learns one class, then the next, and forgets what came before; the loss falls
        within each stretch and jumps at its end.
    Evidence:
        batches.labels: mean number of classes in a batch against the expected one; loader.created:
        the sampler.
    Example:
        loader = DataLoader(sorted_set, batch_size=32)
    Use instead:
        loader = DataLoader(sorted_set, batch_size=32, shuffle=True)
    Can be confused with:
        Ordered data that a sampler or a permutation mixes (batches are mixed: silent).
    Verify:
        Print the labels of the first batches.
    Prevent:
        Shuffle the training set, and print the classes of the first batch.
    References:
        PyTorch documentation, torch.utils.data.DataLoader, shuffle; Goodfellow et al., Deep
        Learning, 8.1.3.
    """

    slug: ClassVar[str] = "data-not-shuffled"
    title: ClassVar[str] = "Batches arrive ordered by class"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "loss-swings": -4,
        "underfitting": -5,
        "loss-flat": -6,
        "loss-plateaus": -8,
        "overfitting": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"shuffl|sorted|ordered|in order", 8),)
    needs: ClassVar[tuple[str, ...]] = ("batches.labels", "loader.created")
    fix_summary: ClassVar[str] = "Shuffle the training data"
    prevention: ClassVar[str] = "Shuffle the training set and print the classes of the first batch."

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("batches.labels")
        if record is None or int(record.data.get("looked", 0)) < MIN_BATCHES:
            return [missing("fewer than eight batches of class labels were looked at")]
        data = record.data
        counts = [int(count) for count in data["labels"].values()]
        size = int(data["rows"]) / int(data["looked"])
        expected = expected_classes(counts, size)
        found = float(data["classes_in_batch"])
        text = (
            f"A batch of {size:.0f} holds {found:.1f} of {len(counts)} classes on average "
            f"({expected:.1f} expected of a random draw, {data['looked']} batches looked at)"
        )
        fact = Fact("batches.labels", text, record.at, record.step, dict(data))
        if size < MIN_ROWS or expected < MIN_EXPECTED or found > FEWER * expected:
            return [silent(text, facts=(fact,))]
        return [
            fired(DECISIVE, fact, text, places=[*self._places(examination), record.at], direct=True)
        ]

    @staticmethod
    def _places(examination: Examination) -> list[Location | None]:
        """Loaders that go through their data in order, the largest first."""
        ordered = [
            record
            for record in examination.of("loader.created")
            if record.data.get("sampler") == "SequentialSampler"
        ]
        ordered.sort(key=lambda record: -int(record.data.get("length") or 0))
        return [record.at for record in ordered]


def expected_classes(counts: list[int], size: float) -> float:
    """Expected number of classes in a random draw of `size` rows: the sum of 1 - (1 - p)^size."""
    total = sum(counts)
    return math.fsum(1 - (1 - count / total) ** size for count in counts) if total else 0.0
