"""The cause `log-of-nonpositive`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.examination import number
from diagnoser.rules.nonfinite import FirstBad, NonfiniteRule, numpy_warning
from diagnoser.rules.readings import place_text

LOGARITHMS = frozenset({"log", "log2", "log10", "log1p", "xlogy", "logit", "special_xlogy"})


class LogOfNonpositive(NonfiniteRule):
    """A logarithm meets zero or a negative number.

    What it detects:
        The first non-finite value is made by a logarithm whose operand holds 0 or negative numbers.
    Why it breaks training:
        log(0) is -inf and log of a negative number NaN; one such value makes the whole mean, and
        with it every weight, NaN.
    Evidence:
        nonfinite.first: operation, line, least value and number of zeros and negative values of the
        operand.
    Example:
        loss = -(y * torch.log(p)).sum(1).mean()
    Use instead:
        loss = F.cross_entropy(logits, y)     # or torch.log(p.clamp_min(1e-7))
    Can be confused with:
        A learning rate so high that the softmax underflows; a NaN that was already in the data.
    Verify:
        Print the operand's minimum right before the line.
    Prevent:
        Compute log-probabilities with log_softmax; clamp what enters a logarithm.
    References:
        PyTorch documentation, torch.nn.functional.log_softmax; Goodfellow et al., Deep Learning,
        section 4.1.
    """

    slug: ClassVar[str] = "log-of-nonpositive"
    title: ClassVar[str] = "A logarithm meets zero or a negative number"
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -3, "loss-explodes": -12, "loss-flat": -12}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(torch|np|numpy|math)\.log|\blog\(|\blog of\b|own cross.?entropy|"
            r"hand.?written cross.?entropy|my own (loss|nll|kl)",
            8,
        ),
        Cue(
            r"out of nowhere|suddenly|all of a sudden|ran (well|fine)|"
            r"after \d+ epochs|loss was already|already (very )?(small|low|0\.0)",
            4,
        ),
    )
    fix_summary: ClassVar[str] = "Keep the operand above zero: log_softmax, log1p or a clamp"
    prevention: ClassVar[str] = "Use losses on logits, and clamp what enters a logarithm."

    def explain(self, first: FirstBad) -> Finding | None:
        warned = numpy_warning(first, "(scalar )?log(2|10|1p)?")
        if first.where == "entered" and warned is not None:
            note = f"NumPy takes a logarithm of zero or less at {place_text(warned)}: {first.made}"
            return first.finding(note, [warned])
        if first.where != "forward" or first.operation not in LOGARITHMS:
            return None
        low = number(first.operands[0].get("min")) if first.operands else 0.0
        limit = -1.0 if first.operation == "log1p" else 0.0
        if low > limit or first.runaway:
            return None
        return first.finding(f"{first.operation} of {first.describe()} makes {first.made}")
