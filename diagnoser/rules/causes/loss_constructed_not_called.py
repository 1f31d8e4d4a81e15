"""The cause `loss-constructed-not-called`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import LOSS_FILES
from diagnoser.rules.source_search import lines_matching


class LossConstructedNotCalled(CrashRule):
    """A loss module is constructed from the output instead of being called on it.

    What it detects:
        nn.SomeLoss(output, target) hands tensors to the constructor; or a tensor with many values
        stands where one truth value is needed.
    Why it breaks training:
        The constructor takes options, reads the tensors as flags and fails, or gives a module that
        has no backward.
    Evidence:
        exception.raised: the frame of the loss's constructor, or the user's own condition.
    Example:
        loss = nn.CrossEntropyLoss(output, y)
    Use instead:
        loss = nn.CrossEntropyLoss()(output, y)
    Can be confused with:
        An if on a tensor, which needs .any(), .all() or .item().
    Verify:
        Print type(loss).
    Prevent:
        Construct losses once, before the loop.
    References:
        PyTorch documentation, torch.nn.CrossEntropyLoss.
    """

    slug: ClassVar[str] = "loss-constructed-not-called"
    title: ClassVar[str] = "A loss is constructed instead of called"
    category: ClassVar[str] = "program"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Boolean value of Tensor with more than one value is ambiguous",
        r"'(?P<name>\w*Loss)' object has no attribute"
        r" '(backward|item|detach|requires_grad|mean|sum)'",
        r"bool value of Tensor with more than one value is ambiguous",
        r"^\w+",
    )
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"boolean value of tensor|ambiguous", 8),)
    fix_summary: ClassVar[str] = (
        "Construct the loss once and call it: nn.CrossEntropyLoss()(output, target)"
    )
    prevention: ClassVar[str] = "Construct losses before the loop, or use torch.nn.functional."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        building = [
            frame
            for frame in crash.frames
            if frame.get("function") == "__init__"
            and PurePath(str(frame.get("file"))).name in LOSS_FILES
        ]
        name = found.groupdict().get("name")
        if building or name:
            note = f"{name or 'A loss'} is constructed from tensors instead of called"
            made = lines_matching(crash.examination.sources, rf"{name}\(") if name else []
            return crash.finding(note, made[:1])
        if "Tensor" not in found.group(0):
            return None
        note = "A tensor with many values stands where one truth value is needed"
        return crash.finding(f"{note} (`{crash.code[:80]}`)" if crash.code else note)
