"""The cause `sqrt-gradient-at-zero`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.nonfinite import FirstBad, NonfiniteRule

DOMAIN = frozenset({"sqrt", "rsqrt", "acos", "asin", "arccos", "arcsin", "atanh", "arctanh"})
"""Functions with an edge, which give NaN beyond it."""


class SqrtGradientAtZero(NonfiniteRule):
    """The forward is finite, its gradient at the edge is not.

    What it detects:
        The first non-finite value appears in backward: the gradient of a root, a norm, an arc
        function or a power at the edge of its domain, or of a bad branch that `where` hides.
    Why it breaks training:
        The derivative of sqrt at 0 is infinite; times a zero from above it becomes NaN, although
        the loss was finite.
    Evidence:
        nonfinite.first: the backward node, the line of its forward operation, zeros in the operand.
    Example:
        d = (a - b).pow(2).sum(1).sqrt()
    Use instead:
        d = ((a - b).pow(2).sum(1) + 1e-12).sqrt()
    Can be confused with:
        A logarithm of zero in the forward.
    Verify:
        Print the operand's minimum at the line; add 1e-12 under the root.
    Prevent:
        Add a small constant under roots and norms; clean inputs before where, not after.
    References:
        PyTorch documentation, Autograd mechanics, Gradients for non-differentiable functions.
    """

    slug: ClassVar[str] = "sqrt-gradient-at-zero"
    title: ClassVar[str] = "A gradient is infinite at the edge of its function"
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -7, "loss-explodes": -12, "loss-flat": -12}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"sqrt|square root|\.norm\(|euclidean|distances?\b|acos|arccos|\bangle", 8),
        Cue(
            r"(forward|loss).{0,30}(finite|fine|ok).{0,40}(backward|grad)|grad\w* (is|"
            r"are|become) nan",
            6,
        ),
    )
    fix_summary: ClassVar[str] = (
        "Keep the operand off the edge: add a small constant under the root"
    )
    prevention: ClassVar[str] = "Add eps under roots and norms; give where two finite branches."

    def explain(self, first: FirstBad) -> Finding | None:
        edge = first.where == "forward" and first.operation in DOMAIN and not first.runaway
        if not edge and first.where != "backward":
            return None
        if first.runaway:
            return None
        what = "The gradient of" if first.where == "backward" else "The value of"
        return first.finding(
            f"{what} {first.operation} at {first.describe()} is not finite: {first.made}"
        )
