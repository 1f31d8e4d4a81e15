"""The cause `exp-overflow`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.nonfinite import FirstBad, NonfiniteRule

EXPONENTIALS = frozenset({"exp", "exp2", "expm1", "pow", "rpow", "ipow", "cosh", "sinh", "square"})


class ExpOverflow(NonfiniteRule):
    """An exponential or a power leaves the dtype's range.

    What it detects:
        The first non-finite value is made by exp, a power or a hand-written softmax on operands too
        large for the dtype.
    Why it breaks training:
        exp(89) is beyond float32; without subtracting the maximum a softmax becomes inf/inf.
    Evidence:
        nonfinite.first: operation, line, greatest value of the operand, dtype.
    Example:
        p = torch.exp(z) / torch.exp(z).sum(1, keepdim=True)
    Use instead:
        p = torch.softmax(z, dim=1)
    Can be confused with:
        Weights that have run away because of the learning rate: then the operand is huge from one
        step to the next.
    Verify:
        Print the operand's maximum right before the line.
    Prevent:
        Use softmax, logsumexp and softplus, which shift by the maximum.
    References:
        Goodfellow et al., Deep Learning, section 4.1; PyTorch documentation, torch.logsumexp.
    """

    slug: ClassVar[str] = "exp-overflow"
    title: ClassVar[str] = "An exponential leaves the number range"
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -5, "loss-explodes": -12, "loss-flat": -12}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(torch|np|numpy|math)\.exp|\bexp\(|exponential|own softmax|"
            r"softmax (by hand|myself)|hand.?written softmax|log.?sum.?exp|poisson",
            8,
        ),
    )
    fix_summary: ClassVar[str] = "Use the shifted form: softmax, logsumexp, softplus"
    prevention: ClassVar[str] = (
        "Never exponentiate raw outputs; use the library's stable functions."
    )

    def explain(self, first: FirstBad) -> Finding | None:
        if first.where != "forward" or first.operation not in EXPONENTIALS or first.runaway:
            return None
        if any(entry.get("dtype") == "float16" for entry in first.operands):
            return None
        return first.finding(f"{first.operation} of {first.describe()} makes {first.made}")
