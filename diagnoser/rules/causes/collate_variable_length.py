"""The cause `collate-variable-length`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import loader_line
from diagnoser.rules.examination import location


class CollateVariableLength(CrashRule):
    """Samples of unequal size are stacked into a batch.

    What it detects:
        The collate function of a DataLoader meets samples whose shapes differ.
    Why it breaks training:
        torch.stack needs equal shapes; sequences of different length, or one odd sample, have none.
    Evidence:
        exception.raised: both shapes; loader.created: the line that would name a collate function.
    Example:
        DataLoader(sentences, batch_size=8)
    Use instead:
        DataLoader(sentences, batch_size=8, collate_fn=pad_batch)
    Can be confused with:
        One broken sample among equal ones; an image that is not RGB.
    Verify:
        Print the shapes of dataset[0], dataset[1] …
    Prevent:
        Pad or crop in the dataset, or pass a collate_fn.
    References:
        PyTorch documentation, torch.utils.data, Working with collate_fn.
    """

    slug: ClassVar[str] = "collate-variable-length"
    title: ClassVar[str] = "Samples of unequal size are stacked into a batch"
    category: ClassVar[str] = "data"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -6, "shape-mismatch": -8}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised", "loader.created")
    patterns: ClassVar[tuple[str, ...]] = (
        r"stack expects each tensor to be equal size, but got \[(?P<a>[\d, ]*)\] at entry 0"
        r" and \[(?P<b>[\d, ]*)\] at entry (?P<i>\d+)",
        r"each element in list of batch should be of equal size",
        r"Trying to resize storage that is not resizable",
    )
    fix_summary: ClassVar[str] = (
        "Pad the samples in a collate_fn, or bring them to one size in the dataset"
    )
    prevention: ClassVar[str] = (
        "Give the loader a collate_fn that pads, and test it on samples of different length."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        made = loader_line(crash)
        collating = any("collate" in str(frame.get("function")) for frame in crash.frames)
        if made is None and not collating and "collate" not in crash.message:
            return None
        groups = found.groupdict()
        note = "Samples of unequal size are stacked"
        if groups.get("a") is not None:
            note = f"Sample 0 is [{groups['a']}] and sample {groups['i']} [{groups['b']}]"
        loaders = crash.examination.of("loader.created")
        item = location(loaders[0].data.get("getitem_at")) if loaders else None
        return crash.finding(f"{note}: the loader stacks them as they are", [made, item])
