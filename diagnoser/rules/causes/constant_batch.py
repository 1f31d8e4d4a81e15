"""The cause `constant-batch`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.schema import Location

MIN_LOOKED = 12


class ConstantBatch(Rule):
    """The loader or the dataset keeps giving the same batch or the same sample.

    What it detects:
        Every training batch looked at holds the same values although it is a new tensor each time,
        or all rows of a batch are one and the same.
    Why it breaks training:
        The model sees a handful of samples, learns them by heart and nothing else.
    Evidence:
        batches.inputs: batches looked at, distinct ones, distinct rows; loader.created: how many
        samples there are.
    Example:
        def __getitem__(self, index):
            return self.images[0], self.labels[0]
    Use instead:
        def __getitem__(self, index):
            return self.images[index], self.labels[index]
    Can be confused with:
        Training on the whole set at once; the deliberate test on one batch (the same tensor is
        passed again: silent); a stream that is seeded anew (rng-reset).
    Verify:
        Print the first numbers of two batches in a row: they must differ.
    Prevent:
        Assert in a test that two items, and two batches, of the loader differ.
    References:
        PyTorch documentation, torch.utils.data, map-style datasets.
    """

    slug: ClassVar[str] = "constant-batch"
    title: ClassVar[str] = "Training sees the same batch or sample again and again"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "overfitting": -6,
        "too-good": -8,
        "underfitting": -8,
        "loss-flat": -9,
        "inconsistent": -10,
    }
    needs: ClassVar[tuple[str, ...]] = ("batches.inputs", "loader.created")
    fix_summary: ClassVar[str] = "Let the index choose the sample, and advance through the data"
    prevention: ClassVar[str] = "Assert in a test that two items and two batches differ."

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("batches.inputs")
        if record is None or int(record.data.get("looked", 0)) < MIN_LOOKED:
            return [missing("fewer than twelve training batches were looked at")]
        data = record.data
        rows, distinct = int(data["rows"]), int(data["distinct_rows"])
        loaders = examination.of("loader.created")
        samples = max((int(r.data.get("length") or 0) for r in loaders), default=0)
        if rows > 1 and distinct == 1 and samples > 1:
            note = (
                f"All {rows} rows of each batch are one and the same, in {data['looked']} batches "
                f"looked at; the dataset has {samples} samples"
            )
        elif int(data["distinct"]) == 1 and not data.get("pool_kept") and samples > rows:
            note = (
                f"All {data['looked']} training batches looked at ({rows} rows) hold the same "
                f"values; the dataset has {samples} samples"
            )
        else:
            return [
                silent(f"{data['distinct']} of {data['looked']} batches looked at are distinct")
            ]
        fact = Fact("batches.inputs", note, record.at, record.step, dict(data))
        return [fired(DECISIVE, fact, note, places=self._places(loaders, record), direct=True)]

    @staticmethod
    def _places(loaders: tuple[Record, ...], record: Record) -> list[Location | None]:
        items = [location(r.data.get("getitem_at")) for r in loaders]
        return [*(place for place in items if place), *(r.at for r in loaders), record.at]
