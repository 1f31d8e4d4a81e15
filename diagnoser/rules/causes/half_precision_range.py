"""The cause `half-precision-range`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.nonfinite import FirstBad, NonfiniteRule


class HalfPrecisionRange(NonfiniteRule):
    """A value leaves the range or the resolution of a half-precision type.

    What it detects:
        The first non-finite value is made in float16 by an operation whose result would be finite
        in float32.
    Why it breaks training:
        float16 ends at 65504 and loses numbers below 6e-8: sums overflow, gradients vanish,
        eps=1e-8 becomes 0.
    Evidence:
        nonfinite.first: operation, dtype, range of the operands.
    Example:
        model.half()
    Use instead:
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = criterion(model(x), y)
    Can be confused with:
        A learning rate that is too high in any precision.
    Verify:
        Run in float32: the loss must stay finite.
    Prevent:
        Keep weights in float32 and use autocast with a GradScaler, or bfloat16.
    References:
        PyTorch documentation, Automatic Mixed Precision package.
    """

    slug: ClassVar[str] = "half-precision-range"
    title: ClassVar[str] = "A half-precision type is left by its values"
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -9, "loss-explodes": -12, "loss-flat": -12}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"\bfp16\b|float16|half precision|\bamp\b|autocast|mixed.?precision|bf16|"
            r"bfloat16|\.half\(",
            10,
        ),
    )
    fix_summary: ClassVar[str] = "Keep this part in float32, or use bfloat16 or a GradScaler"
    prevention: ClassVar[str] = "Use autocast instead of .half(), and scale gradients in float16."

    def explain(self, first: FirstBad) -> Finding | None:
        halves = [
            entry for entry in first.operands if entry.get("dtype") in ("float16", "bfloat16")
        ]
        if not halves or first.where == "entered":
            return None
        kind = halves[0]["dtype"]
        note = f"{first.operation} in {kind} on {first.describe()} makes {first.made}"
        casts = [
            record.at
            for record in first.examination.of("tensor.origin")
            if (record.data.get("result") or {}).get("dtype") == kind
        ]
        return first.finding(note, casts[:1])
