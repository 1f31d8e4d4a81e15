"""The cause `division-by-zero`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.nonfinite import FirstBad, NonfiniteRule, numpy_warning
from diagnoser.rules.readings import place_text

DIVISIONS = frozenset(
    {"div", "divide", "true_divide", "truediv", "rtruediv", "rdiv", "itruediv", "idiv"}
    | {"reciprocal", "remainder", "fmod", "floor_divide", "normalize", "cosine_similarity"}
)
REDUCTIONS = frozenset({"mean", "std", "var", "nanmean", "std_mean", "var_mean"})
DENOMINATOR = {"rtruediv": 0, "rdiv": 0, "reciprocal": 0}
"""Which operand is the denominator; the last one where nothing is said."""


class DivisionByZero(NonfiniteRule):
    """A denominator reaches zero.

    What it detects:
        The first non-finite value is made by a division whose denominator holds zeros, or by a mean
        or a spread over nothing or one value.
    Why it breaks training:
        x/0 is inf and 0/0 NaN: a constant column that is standardised, the mean over an empty mask,
        the norm of a zero vector.
    Evidence:
        nonfinite.first: operation, line, number of zeros in the denominator.
    Example:
        z = (x - x.mean(0)) / x.std(0)          # a column is constant
    Use instead:
        z = (x - x.mean(0)) / x.std(0).clamp_min(1e-6)
    Can be confused with:
        A NaN that was already in the data.
    Verify:
        Print the denominator's least absolute value right before the line.
    Prevent:
        Clamp denominators, and skip empty masks.
    References:
        PyTorch documentation, torch.nn.functional.normalize (eps).
    """

    slug: ClassVar[str] = "division-by-zero"
    title: ClassVar[str] = "A denominator reaches zero"
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -4, "loss-explodes": -12, "loss-flat": -12}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"divi(de|ding|sion)|\bratio\b|/ ?\w*(std|sum|norm|count|len)|"
            r"normali[sz](e|ing) (by|with)|standard deviation|constant column|"
            r"empty (batch|mask)|\bmask\w*",
            6,
        ),
    )
    fix_summary: ClassVar[str] = "Keep the denominator away from zero, or leave the case out"
    prevention: ClassVar[str] = (
        "Add a small constant to denominators that data decide, and test the empty case."
    )

    def explain(self, first: FirstBad) -> Finding | None:
        warned = numpy_warning(first, "(scalar )?(true_)?divide|reciprocal|remainder")
        if first.where == "entered" and warned is not None:
            note = f"NumPy divides by zero at {place_text(warned)}: {first.made} reach the model"
            return first.finding(note, [warned])
        if first.where not in ("forward", "entered") or first.runaway:
            return None
        if first.operation in REDUCTIONS and self._counts_nothing(first):
            return first.finding(
                f"{first.operation} over {first.describe()} has nothing to divide by: {first.made}"
            )
        if first.where != "forward" or first.operation not in DIVISIONS:
            return None
        index = DENOMINATOR.get(first.operation, len(first.operands) - 1)
        index = min(index, len(first.operands) - 1)
        if index < 0 or not first.operands[index].get("zeros"):
            return None
        return first.finding(f"The denominator {first.describe(index)} makes {first.made}")

    @staticmethod
    def _counts_nothing(first: FirstBad) -> bool:
        shape = list(first.operands[0].get("shape") or ()) if first.operands else []
        size = 1
        for length in shape:
            size *= int(length)
        return size == 0 or (first.operation in ("std", "var") and (size == 1 or 1 in shape))
