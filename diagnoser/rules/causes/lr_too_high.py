"""The cause `lr-too-high`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import (
    MODERATE,
    STRONG,
    WEAK,
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
from diagnoser.rules.symptoms import EXPLODED, progress

JUMPING_RATIO = 0.1
"""Update-to-weight ratio over which the weights jump (healthy is near 1e-3)."""
MIN_GROWTH_STEPS = 3
FIRST_UPDATES = 6
BARELY_FELL = 0.1
"""A loss that has fallen by less than this share counts as not learning."""


class LrTooHigh(Rule):
    """The learning rate is too high: each step overshoots.

    What it detects:
        The loss grows geometrically to inf and NaN, or never comes down, while single updates are
        large against the weights; the same script with a smaller rate learns.
    Why it breaks training:
        On w^2 a rate of 1.5 multiplies w by -2 at each step. With an adaptive optimizer the loss
        does not blow up, but the weights are thrown about and units die or saturate.
    Evidence:
        update.ratio (|update| / |weight|), loss.value; settled by the experiment
        scale-learning-rate, judged on the loss it ends with.
    Example:
        optimizer = torch.optim.SGD(model.parameters(), lr=5.0)
    Use instead:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    Can be confused with:
        Gradients that are never cleared; NaN in the data; exploding gradients in recurrent nets,
        which clipping cures at the same rate; inputs on a large scale.
    Verify:
        Run with a tenth of the rate: the loss must fall, not only rise more slowly.
    Prevent:
        Start from a learning-rate range test; log the update-to-weight ratio (about 1e-3).
    References:
        Smith, "Cyclical Learning Rates" (2017); CS231n, "Ratio of weights to updates".
    """

    slug: ClassVar[str] = "lr-too-high"
    title: ClassVar[str] = "The learning rate is too high"
    category: ClassVar[str] = "numerical instability"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {
        "loss-nan": 0,
        "loss-explodes": 0,
        "loss-swings": -3,
        "loss-flat": -6,
        "loss-plateaus": -8,
        "underfitting": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"\b(lr|learning.?rate|rate)\b\W{0,3}(of |is |was |= ?|"
            r": ?)?(\d*[1-9]\d*(\.\d+)?|0?\.[1-9]\d*)(?![\de.-])",
            6,
        ),
        Cue(r"\badam\w*\b.{0,30}(\b|=)(0\.0[5-9]|0?\.[1-9]|1\.0|1)\b", 3),
        Cue(
            r"(few|first|second|third|\d+(st|nd|rd|th)?) (few )?(iterations?|steps?|"
            r"batch(es)?|updates?)|right away|immediately|at once",
            3,
        ),
        Cue(
            r"(smaller|lower|reduced|tiny|ten times smaller) (lr|learning.?rate|"
            r"rate).{0,40}(same|later|no difference|doesn'?t|does not|didn'?t|no help)",
            -8,
        ),
        Cue(
            r"\b(lr|learning.?rate)\b\W{0,3}(is |= ?|of )?(only |just )?(1e-[4-9]|"
            r"0\.000\d)",
            -8,
        ),
        Cue(
            r"(smaller|lower|reduced?|divided) .{0,12}(lr|learning.?rate|"
            r"rate).{0,40}(works|trains|is fine|ok\b|helps|helped|converges)",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("update.ratio", "loss.value")
    trial: ClassVar[Trial] = Trial("scale_learning_rate")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = (
        "Lower the learning rate: to a tenth, or to the value that an experiment found"
    )
    prevention: ClassVar[str] = (
        "Choose the rate by a range test and log the update-to-weight ratio: about 1e-3 is healthy."
    )

    def strengths(self, examination: Examination) -> tuple[Mapping[str, Any], ...]:
        """A tenth, and the power of ten that brings the first updates to a healthy size."""
        worst = max(update_ratios(examination)[:FIRST_UPDATES], default=0.0)
        power = round(math.log10(HEALTHY_RATIO / worst)) if worst > 0 else -2
        powers = dict.fromkeys((-1, min(power, -1), min(power + 1, -2), -2))
        return tuple({"factor": 10.0**p} for p in powers)

    def weigh(self, examination: Examination) -> list[Finding]:
        curve = examination.curve
        ratios = examination.of("update.ratio")
        if curve is None or not ratios:
            return [missing("no loss curve with optimizer steps was recorded")]
        place = next((r.at for r in last_by_place(examination, "optimizer.summary")), None)
        if examination.last("finite.input") is not None:
            return [silent("the input is not finite before any update")]
        findings = []
        grown = self._growth(curve.values)
        worst = max((number(r.data.get("ratio")) for r in ratios[:FIRST_UPDATES]), default=math.nan)
        rate = max((float(x) for x in ratios[0].data.get("rate", ()) or (0.0,)), default=0.0)
        if grown >= EXPLODED:
            note = (
                f"The loss grows from {curve.values[0]:.4g} by a factor of {grown:.3g} at learning "
                f"rate {rate:g}"
            )
            findings.append(
                fired(MODERATE, Fact("loss.value", note, curve.at), note, places=[place])
            )
        stuck = progress(curve)
        if worst > JUMPING_RATIO and not stuck > 0.5:
            note = f"Updates are {worst:.2g} of the weights (healthy: 1e-3) at a rate of {rate:g}"
            weight = MODERATE if (math.isnan(stuck) or stuck < BARELY_FELL) else WEAK
            findings.append(fired(weight, Fact("update.ratio", note, place), note, places=[place]))
        if not findings:
            text = f"The first updates are at most {worst:.2g} of the weights (rate {rate:g})"
            return [silent(text, facts=(Fact("update.ratio", text, place),))]
        arm = examination.arm(self.trial.intervention, self.strengths(examination))
        if arm is not None and arm.removed_symptom:
            factor = arm.params["factor"]
            note = f"At {factor:g} of the rate ({rate * factor:g}) {arm.note}"
            fact = Fact("experiment.arm", note, place)
            findings.insert(0, fired(STRONG, fact, note, places=[place]))
        return findings

    @staticmethod
    def _growth(values: tuple[float, ...]) -> float:
        """Greatest later loss over the first; inf if it is not finite after a finite start."""
        if not values or not math.isfinite(values[0]):
            return 0.0
        if any(not math.isfinite(v) for v in values[1:]):
            return math.inf
        later = values[MIN_GROWTH_STEPS:] or (0.0,)
        end = sorted(values[-max(3, len(values) // 10) :])
        worst = max(max(later) if end[len(end) // 2] > abs(values[0]) else 0.0, 0.0)
        return worst / max(abs(values[0]), 1e-12)
