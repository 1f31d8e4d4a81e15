"""The cause `lr-too-low`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import (
    MODERATE,
    STRONG,
    Cue,
    Fact,
    Finding,
    Rule,
    Trial,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.readings import HEALTHY_RATIO, last_by_place, update_ratios
from diagnoser.rules.symptoms import FLAT_PROGRESS, progress
from diagnoser.rules.wording import WHATEVER_RATE

STILL_RATIO = 2e-4
"""Greatest update-to-weight ratio that can count as too small (healthy 1e-3, still at 1e-6)."""
SLOW_PROGRESS = 0.3

CLIPPED = 20.0
"""Gradient norm over the clipping limit from which the limit rules the update."""


class LrTooLow(Rule):
    """The learning rate is orders of magnitude too small: the weights hardly move.

    What it detects:
        Over the whole run updates are tiny against the weights and the loss stays nearly flat; the
        same script with a larger rate learns.
    Why it breaks training:
        The direction is right, but the way to a minimum takes 100 or 10,000 times more steps.
    Evidence:
        update.ratio over the whole run (a warm-up rises), loss.value; settled by the experiment
        scale-learning-rate.
    Example:
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    Use instead:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    Can be confused with:
        Gradients that never arrive (the ratio is then 0); fine-tuning, where a small rate is right
        and the loss is low from the start.
    Verify:
        Run with 100 times the rate: the loss must fall within the same number of steps.
    Prevent:
        Start from a learning-rate range test; log the update-to-weight ratio (about 1e-3).
    References:
        Smith, "Cyclical Learning Rates" (2017); CS231n, "Ratio of weights to updates".
    """

    slug: ClassVar[str] = "lr-too-low"
    title: ClassVar[str] = "The learning rate is too low"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"loss-flat": -2, "underfitting": -6, "loss-plateaus": -10}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"\b(lr|learning.?rate|rate)\b\W{0,3}(of |is |was |= ?|: ?)?(only |"
            r"just )?(1e-([5-9]|1\d)|0\.0000\d*)",
            8,
        ),
        Cue(
            r"very slowly|so slow|slowly|hardly moves|tiny (steps|updates)|"
            r"falls? a (tiny )?bit",
            4,
        ),
        Cue(WHATEVER_RATE, -8),
    )
    needs: ClassVar[tuple[str, ...]] = ("update.ratio", "loss.value")
    trial: ClassVar[Trial] = Trial("scale_learning_rate")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = (
        "Raise the learning rate: tenfold, or to the value that an experiment found"
    )
    prevention: ClassVar[str] = (
        "Choose the rate by a range test and log the update-to-weight ratio: about 1e-3 is healthy."
    )

    def strengths(self, examination: Examination) -> tuple[Mapping[str, Any], ...]:
        """The power of ten that brings the greatest update to a healthy size, then its neighbours.

        An update is proportional to the rate for plain and adaptive optimizers alike.
        """
        greatest = max(update_ratios(examination), default=0.0)
        if greatest <= 0:
            return ()
        power = round(math.log10(HEALTHY_RATIO / greatest))
        return tuple({"factor": 10.0**p} for p in (power, power + 1, power - 1) if p > 0)

    def weigh(self, examination: Examination) -> list[Finding]:
        curve = examination.curve
        ratios = update_ratios(examination)
        if curve is None or not ratios:
            return [missing("no loss curve with optimizer steps was recorded")]
        greatest = max(ratios)
        fall = progress(curve)
        rates = [
            float(rate)
            for record in examination.of("update.ratio")
            for rate in record.data.get("rate", ())
        ]
        rate = max(rates, default=0.0)
        for record in examination.of("gradient.clip"):
            if number(record.data.get("norm")) > CLIPPED * number(record.data.get("limit")):
                return [silent("clipping, not the rate, sets the size of the updates")]
        place = next((r.at for r in last_by_place(examination, "optimizer.summary")), None)
        text = (
            f"Updates are at most {greatest:.2g} of the weights (1e-3 is healthy) at learning rate "
            f"{rate:g}; the loss falls by {fall:.1%} over {len(curve.values)} recorded steps"
        )
        fact = Fact("update.ratio", text, place)
        if greatest == 0 or greatest > STILL_RATIO or not fall < SLOW_PROGRESS:
            return [silent(text, facts=(fact,))]
        weight = MODERATE if abs(fall) < FLAT_PROGRESS else 0
        findings = [fired(max(weight, 3), fact, text, places=[place])]
        arm = examination.arm(self.trial.intervention, self.strengths(examination))
        if arm is not None and arm.removed_symptom:
            factor = arm.params["factor"]
            note = f"At {factor:g} times the rate ({rate * factor:g}) {arm.note}"
            found = Fact("experiment.arm", note, place)
            findings.insert(0, fired(STRONG, found, note, places=[place]))
        return findings
