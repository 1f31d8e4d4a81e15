"""The cause `exploding-gradients`."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Fact, Finding, Rule, Trial, missing, silent
from diagnoser.rules.dynamics import by_experiment, learnt
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.readings import last_by_place

GROWN = 50.0
"""Greatest gradient norm over the median of the first ones from which gradients explode."""
FIRST = 5


class ExplodingGradients(Rule):
    """The gradient norm grows by orders of magnitude and no clipping holds it.

    What it detects:
        Gradient norms that grow far beyond those of the first updates in a run that diverges, and
        that learns with clipped gradients at the same rate.
    Why it breaks training:
        One step on such a gradient throws the weights away; deep and recurrent nets multiply the
        same factors many times.
    Evidence:
        update.ratio: the gradient norm by update; the arm with gradients clipped to 1, two seeds.
    Example:
        loss.backward()
        optimizer.step()
    Use instead:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    Can be confused with:
        A rate that is too high from the start (the first updates jump); gradients that add up.
    Verify:
        Print the gradient norm of each step.
    Prevent:
        Clip recurrent and deep nets from the start, and log the norm.
    References:
        Pascanu et al., "On the difficulty of training recurrent neural networks" (2013).
    """

    slug: ClassVar[str] = "exploding-gradients"
    title: ClassVar[str] = "Gradients grow by orders of magnitude"
    category: ClassVar[str] = "numerical instability"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -2, "loss-explodes": -2, "loss-swings": -5}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"\brnn\b|lstm|\bgru\b|recurrent|time ?steps|sequence|very deep", 6),
        Cue(r"no clipping|without clipping|norm of the grad|grad\w* norm|grads?:? \d", 6),
        Cue(r"short(er)? sequences?.{0,30}(ok|fine|works)", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("update.ratio", "loss.value")
    trial: ClassVar[Trial | None] = Trial("clip_gradients")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Clip the gradient norm between backward and step"
    prevention: ClassVar[str] = (
        "Clip recurrent and deep nets from the start, and log the norm that clipping returns."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        norms = [number(record.data.get("gradient")) for record in examination.of("update.ratio")]
        if len(norms) <= FIRST or examination.curve is None:
            return [missing("too few updates were looked at")]
        usual = statistics.median(norms[:FIRST])
        worst = max((n for n in norms if n == n), default=0.0)
        bad = examination.last("loss.nonfinite") is not None or not learnt(examination) > -1
        if not (worst >= GROWN * max(usual, 1e-12) or worst == float("inf")) and not bad:
            return [silent(f"gradient norms stay within {worst:.3g} ({usual:.3g} at first)")]
        if not bad:
            return [silent("gradients grow, and the loss does not diverge")]
        places = [
            *(record.at for record in examination.of("loss.last")),
            *(record.at for record in last_by_place(examination, "optimizer.summary")),
        ]
        note = f"The gradient norm goes from {usual:.3g} to {worst:.3g} and the loss diverges"
        fact = Fact("update.ratio", note, places[0] if places else None)
        return [by_experiment(self, examination, note, fact, places)]
