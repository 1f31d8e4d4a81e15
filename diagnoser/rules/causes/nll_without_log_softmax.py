"""The cause `nll-without-log-softmax`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, location, number
from diagnoser.rules.readings import place_text

MIN_CALLS = 2
MAX_LOG_SUM_EXP = 0.1
"""Log-probabilities have a log-sum-exp of 0 by row; clamping and smoothing move it by less."""


class NllWithoutLogSoftmax(Rule):
    """NLLLoss gets logits or probabilities where it expects log-probabilities.

    What it detects:
        In training, the rows that enter nll_loss are not log-probabilities: the logarithm of the
        sum of their exponentials is not 0.
    Why it breaks training:
        nll_loss only picks the target's value and negates it. With probabilities the loss ends at
        -1 and its gradient fades; with logits it falls without bound.
    Evidence:
        loss.inputs: greatest |log-sum-exp| of the rows, range, the operation that made the input.
    Example:
        loss = F.nll_loss(model(x), y)   # model returns logits
    Use instead:
        loss = F.nll_loss(F.log_softmax(model(x), dim=1), y)   # or F.cross_entropy(model(x), y)
    Can be confused with:
        Mixtures and pointer networks that return the log of a normalised probability (0: silent).
    Verify:
        Print output.logsumexp(1) right before the loss: it must be 0.
    Prevent:
        Use cross_entropy on logits; keep log_softmax and nll_loss in one place where both occur.
    References:
        PyTorch documentation, torch.nn.NLLLoss.
    """

    slug: ClassVar[str] = "nll-without-log-softmax"
    title: ClassVar[str] = "NLLLoss gets something other than log-probabilities"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -7,
        "loss-plateaus": -7,
        "loss-explodes": -8,
        "underfitting": -7,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"nll|negative log.?likelihood", 8),
        Cue(r"(loss|it) (is|goes|becomes|gets) negative|negative loss|below zero", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.inputs", "loss.axis")
    fix_summary: ClassVar[str] = (
        "Give NLLLoss log-probabilities (log_softmax), or use cross_entropy"
    )
    prevention: ClassVar[str] = (
        "Use cross_entropy on logits, and assert that a classification loss is never negative."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        calls = [
            record
            for record in examination.of("loss.inputs")
            if record.data.get("loss") == "nll_loss"
            and (record.data.get("input") or {}).get("requires_grad")
            and int(record.data.get("rows", 0)) > 0
        ]
        if len(calls) < MIN_CALLS:
            return [missing("no nll_loss on a differentiable input was seen")]
        if examination.of("loss.axis"):
            return [silent("nll_loss gets log-probabilities, but over another axis")]
        off = [r for r in calls if number(r.data.get("log_sum_exp")) > MAX_LOG_SUM_EXP]
        if len(off) < len(calls):
            worst = max(number(r.data.get("log_sum_exp")) for r in calls)
            text = f"nll_loss gets log-probabilities (greatest |log-sum-exp| {worst:.2g})"
            return [silent(text, facts=(Fact("loss.inputs", text, calls[0].at),))]
        first = off[0]
        probabilities = number(first.data.get("probability_rows")) > 0.99
        what = "probabilities" if probabilities else "logits"
        origin = location((first.data.get("activation") or {}).get("at")) if probabilities else None
        note = (
            f"nll_loss at {place_text(first.at)} gets {what} (range "
            f"{number(first.data['input'].get('min')):.3g} to "
            f"{number(first.data['input'].get('max')):.3g}, log-sum-exp of the rows "
            f"{number(first.data.get('log_sum_exp')):.3g} instead of 0)"
        )
        fact = Fact("loss.inputs", note, first.at, first.step)
        places = [origin, location(first.data.get("criterion_at")), first.at]
        if not probabilities:
            places = [first.at, location(first.data.get("criterion_at"))]
        return [fired(DECISIVE, fact, note, places=places, direct=True)]
