"""The cause `broadcast-error`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import in_loss


class BroadcastError(CrashRule):
    """Two shapes cannot be broadcast.

    What it detects:
        Arithmetic, an assignment or a concatenation between tensors whose dimensions, compared from
        the right, are neither equal nor 1.
    Why it breaks training:
        There is no rule by which the values would meet; the run ends at that line.
    Evidence:
        exception.raised: both sizes, the dimension, the shapes of the tensors at the line.
    Example:
        scores = hidden + positions       # [8, 20, 64] + [25, 64]
    Use instead:
        scores = hidden + positions[: hidden.shape[1]]
    Can be confused with:
        A loss whose prediction and target differ (target-shape-mismatch); a matrix product.
    Verify:
        Print both shapes right before the line and compare them from the right.
    Prevent:
        Assert shapes where tensors of two origins meet; name the axes in a comment.
    References:
        PyTorch documentation, Broadcasting semantics.
    """

    slug: ClassVar[str] = "broadcast-error"
    title: ClassVar[str] = "Two shapes cannot be broadcast"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": -4, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\)"
        r" at non-singleton dimension (?P<d>\d+)",
        r"operands could not be broadcast together with (remapped )?shapes? (?P<shapes>[^\n]+)",
        r"shape mismatch: (value array|objects cannot be broadcast)(?P<shapes>[^\n]*)",
        r"Sizes of tensors must match except in dimension (?P<d>\d+)\. Expected size"
        r" (?P<a>\d+) but got size (?P<b>\d+)",
        r"The expanded size of the tensor \((?P<a>\d+)\) must match the existing size"
        r" \((?P<b>\d+)\) at non-singleton dimension (?P<d>\d+)",
        r"could not broadcast input array from shape (?P<shapes>[^\n]+)",
    )
    fix_summary: ClassVar[str] = "Bring both operands to shapes that agree from the right or are 1"
    prevention: ClassVar[str] = "Assert the two shapes right before they meet."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        if in_loss(crash):
            return None
        groups = found.groupdict()
        note = f"Shapes {(groups.get('shapes') or '').strip()} do not broadcast"
        if groups.get("a"):
            where = f" at dimension {groups['d']}" if groups.get("d") else ""
            note = f"Size {groups['a']} meets size {groups['b']}{where}"
        shapes = crash.shapes()
        if shapes:
            note += f" ({shapes})"
        return crash.finding(note)
