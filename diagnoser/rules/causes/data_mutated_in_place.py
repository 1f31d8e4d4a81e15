"""The cause `data-mutated-in-place`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, location, number

MIN_SHARE = 0.02
"""Share of the stored elements that must have changed; a single cell may be a counter."""


class DataMutatedInPlace(Rule):
    """Reading or augmenting an item changes the stored data, so that they degrade by the epoch.

    What it detects:
        A tensor or an array that a loader's dataset stores, whose elements have been written over
        in the same storage by the end of the run.
    Why it breaks training:
        Each pass adds its augmentation to that of the passes before: the data drift away from what
        they were, and the loss climbs from epoch to epoch.
    Evidence:
        data.changed: name, share of elements changed, mean absolute value at first and at last.
    Example:
        path = self.path[index]
        path += 0.1 * torch.randn_like(path)
    Use instead:
        path = self.path[index].clone()
        path += 0.1 * torch.randn_like(path)
    Can be confused with:
        A dataset that is drawn anew on purpose (a new tensor: silent).
    Verify:
        Compare a stored item before and after an epoch.
    Prevent:
        Clone what __getitem__ changes; assert that the stored data keep their sum.
    References:
        NumPy documentation, "Copies and views"; PyTorch documentation, "Tensor Views".
    """

    slug: ClassVar[str] = "data-mutated-in-place"
    title: ClassVar[str] = "Reading the data changes them"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "loss-explodes": -6,
        "overfitting": -8,
        "underfitting": -8,
        "loss-swings": -8,
        "loss-plateaus": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"longer .{0,20}(worse|the worse)|first epoch .{0,20}best|drift|epoch (by|to) epoch", 6
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("data.changed", "data.stored")
    fix_summary: ClassVar[str] = "Change a copy of the item, not the stored data"
    prevention: ClassVar[str] = (
        "Clone what __getitem__ changes, and assert that the stored data keep their sum."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        stored = examination.last("data.stored")
        if stored is None or not int(stored.data.get("followed", 0)):
            return [missing("no dataset with stored tensors was followed")]
        changed = [
            record
            for record in examination.of("data.changed")
            if number(record.data.get("share")) >= MIN_SHARE
        ]
        if not changed:
            return [silent("what the datasets store is the same at the end")]
        record = max(changed, key=lambda r: number(r.data["share"]))
        data = record.data
        note = (
            f"{data['name']} has changed in place in {number(data['share']):.0%} of its elements; "
            f"their mean size went from {number(data['before']):.4g} to {number(data['after']):.4g}"
        )
        items = [location(r.data.get("getitem_at")) for r in examination.of("loader.created")]
        fact = Fact("data.changed", note, record.at, record.step, dict(data))
        places = [*(place for place in items if place is not None), record.at]
        return [fired(DECISIVE, fact, note, places=places, direct=True)]
