"""The cause `clip-too-tight`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Fact, Finding, Rule, Trial, missing, silent
from diagnoser.rules.dynamics import by_experiment, learnt
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.readings import place_text

MIN_CALLS = 3
CUT = 20.0
"""Gradient norm over the limit from which clipping rules the size of the update."""
LEARNT = 0.5
"""Share of the first loss whose loss counts as learning: then clipping is no hindrance."""


class ClipTooTight(Rule):
    """Gradient clipping leaves almost nothing of the gradient.

    What it detects:
        Each clip looked at meets a norm many times the limit, in a run whose loss hardly falls, and
        that does fall without clipping.
    Why it breaks training:
        With plain gradient descent the update is at most rate times limit, however far the minimum
        is.
    Evidence:
        gradient.clip: limit and norm; the arm without clipping, on two seeds.
    Example:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1e-5)
    Use instead:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    Can be confused with:
        An adaptive optimizer, which takes the scale out again (the loss falls: silent); a rate
        that is too low.
    Verify:
        Print the norm that clip_grad_norm_ returns beside the limit.
    Prevent:
        Choose the limit from logged norms: about their usual size.
    References:
        Pascanu et al., "On the difficulty of training recurrent neural networks" (2013).
    """

    slug: ClassVar[str] = "clip-too-tight"
    title: ClassVar[str] = "Clipping leaves almost nothing of the gradient"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"loss-flat": -5, "underfitting": -6, "loss-plateaus": -7}
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"clip", 8),)
    needs: ClassVar[tuple[str, ...]] = ("gradient.clip", "loss.value")
    trial: ClassVar[Trial | None] = Trial("no_clipping")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Raise the limit to the usual size of the gradient norm"
    prevention: ClassVar[str] = (
        "Log the norm that clip_grad_norm_ returns and choose the limit from it."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        clips = [
            record
            for record in examination.of("gradient.clip")
            if int(record.data.get("acting", 0)) >= MIN_CALLS and not record.data.get("scaled")
        ]
        if not clips or examination.curve is None:
            return [missing("gradients are not clipped by torch.nn.utils")]
        record = max(
            clips, key=lambda r: number(r.data["norm"]) / max(number(r.data["limit"]), 1e-30)
        )
        norm, limit = number(record.data["norm"]), number(record.data["limit"])
        if not norm >= CUT * limit or learnt(examination) > LEARNT:
            return [silent("clipping leaves most of the gradient, or the loss falls with it")]
        note = (
            f"{record.data['function']} at {place_text(record.at)} cuts gradient norms of up to "
            f"{norm:.3g} to {limit:g}, and the loss loses {learnt(examination):.0%} of its first "
            f"value"
        )
        fact = Fact("gradient.clip", note, record.at, record.step)
        return [by_experiment(self, examination, note, fact, [record.at])]
