"""The cause `target-shape-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import batch_folded_at, in_loss

BROADCASTS = "will likely lead to incorrect results due to broadcasting"
"""From the warning of torch.nn.functional's regression losses."""


class TargetShapeMismatch(CrashRule):
    """Prediction and target differ in rank or size under the loss.

    What it detects:
        A loss function refuses prediction and target because of their shapes.
    Why it breaks training:
        Each prediction needs its own target; the loss cannot pair them.
    Evidence:
        exception.raised: both shapes as the loss got them, and the line that reshaped the batch.
    Example:
        criterion(model(x), y)                # [32, 1] against [32]
    Use instead:
        criterion(model(x).squeeze(1), y)
    Can be confused with:
        A reshape that folds another dimension into the batch: the loss only notices it.
    Verify:
        Print output.shape and target.shape right before the loss.
    Prevent:
        Assert output.shape[0] == target.shape[0] before the loss; flatten from dimension 1 on.
    References:
        PyTorch documentation, torch.nn.CrossEntropyLoss, torch.nn.BCEWithLogitsLoss.
    """

    slug: ClassVar[str] = "target-shape-mismatch"
    title: ClassVar[str] = "Prediction and target differ in size under the loss"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": -4, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Expected input batch_size \((?P<a>\d+)\) to match target batch_size \((?P<b>\d+)\)",
        r"0D or 1D target tensor expected, multi-target not supported",
        r"1D target tensor expected, multi-target not supported",
        r"Expected target size \[?\(?(?P<wanted>[\d, ]+)\]?\)?, got"
        r" (torch\.Size\(\[)?\[?(?P<given>[\d, ]+)",
        r"Target size \(torch\.Size\(\[(?P<given>[\d, ]*)\]\)\) must be the same as input"
        r" size \(torch\.Size\(\[(?P<wanted>[\d, ]*)\]\)\)",
        r"Using a target size \(torch\.Size\(\[(?P<given>[\d, ]*)\]\)\) that is different to"
        r" the input size \(torch\.Size\(\[(?P<wanted>[\d, ]*)\]\)\)",
        r"only batches of spatial targets supported",
        r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\)"
        r" at non-singleton dimension (?P<d>\d+)",
        r"Found input variables with inconsistent numbers of samples: \[(?P<given>[\d, ]+)\]",
    )
    fix_summary: ClassVar[str] = "Give the loss a target of the shape that its prediction asks for"
    prevention: ClassVar[str] = (
        "Assert both shapes right before the loss, and reshape with the batch size, not with "
        "-1, in front."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        groups = found.groupdict()
        if BROADCASTS in crash.message or BROADCASTS in crash.log:
            return None  # a warning: the loss went on with every row against every target
        if groups.get("d") and not in_loss(crash):
            return None
        a, b = groups.get("a"), groups.get("b")
        note = crash.message.splitlines()[0][:160]
        if a and b and not groups.get("d"):
            note = f"The loss gets {a} predictions and {b} targets"
        elif groups.get("wanted") and groups.get("given"):
            note = f"The loss needs a target [{groups['wanted']}] and gets [{groups['given']}]"
        shapes = crash.shapes()
        if shapes:
            note += f" ({shapes})"
        folded = batch_folded_at(crash) if a and b and _is_multiple(int(a), int(b)) else None
        return crash.finding(note, [folded])


def _is_multiple(a: int, b: int) -> bool:
    small, large = sorted((a, b))
    return 0 < small < large and large % small == 0
