"""The cause `target-not-scaled`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.assigned_names import assigned_argument
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
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import last_by_place, update_ratios

REGRESSION = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "difference"})
FAR = 30.0
"""Magnitude of the targets over that of fresh outputs (about 1) from which the way is long."""
WORSE_THAN_CONSTANT = 0.98
"""Mean squared error late in training over the targets' variance; the best constant gives 1."""
STILL_RATIO = 2e-4
"""Where updates stay smaller than this against the weights, the rate itself is too low (healthy
1e-3, CS231n)."""
UNREACHABLE = 0.05
NEAR = 0.1
"""Magnitude of the late outputs over that of the targets under which they still are far."""
MIN_STEPS = 100
"""Backward calls under which a training may simply be too short."""


class TargetNotScaled(Rule):
    """The targets are orders of magnitude from what the outputs reach in this training.

    What it detects:
        Fresh outputs are about 1, the targets tens to millions; late in training the error still
        is greater than that of the best constant.
    Why it breaks training:
        The last layer must first grow by that factor. With Adam each step moves a weight by about
        the learning rate, whatever the error: 250,000 is out of reach within an ordinary training.
    Evidence:
        loss.pairs: magnitude of the first outputs and of the targets, error over variance late in
        training; settled by the experiment standardize-targets.
    Example:
        loss = F.mse_loss(net(x), price)             # prices about 250,000
    Use instead:
        loss = F.mse_loss(net(x), (price - mean) / std)
    Can be confused with:
        A learning rate that is too low at any scale; an output whose activation is bounded; a last
        bias that is set to the targets' mean, which is a remedy.
    Verify:
        Print mean and spread of prediction and target at the first and the last step.
    Prevent:
        Standardise regression targets by the training part and undo it for the report.
    References:
        LeCun et al., "Efficient BackProp" (1998), section 4.
    """

    slug: ClassVar[str] = "target-not-scaled"
    title: ClassVar[str] = "The targets are not scaled"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -5,
        "loss-explodes": -8,
        "underfitting": -5,
        "loss-plateaus": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(loss|mse) is .{0,20}(digits|million|billion|huge)|six.?digit|"
            r"targets? (are|is) (large|huge|big)|prices?",
            5,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.pairs", "update.ratio")
    trial: ClassVar[Trial | None] = Trial("standardize_targets")
    fix_summary: ClassVar[str] = (
        "Standardise the targets by the training part, and bring predictions back for the report"
    )
    prevention: ClassVar[str] = "Print mean and spread of prediction and target on the first batch."

    def weigh(self, examination: Examination) -> list[Finding]:
        pairs = [
            record
            for record in last_by_place(examination, "loss.pairs")
            if record.data.get("loss") in REGRESSION and record.data.get("error") is not None
        ]
        if not pairs:
            return [missing("no prediction of a quantity was seen beside its target")]
        found = [f for f in (self._read(record, examination) for record in pairs) if f is not None]
        if found:
            return found
        data = pairs[0].data
        text = (
            f"Targets of {_magnitude(data['target']):.3g} are met with an error of "
            f"{number(data['error']):.3g} of their variance"
        )
        return [silent(text, facts=[Fact("loss.pairs", text, pairs[0].at)])]

    def _read(self, record: Record, examination: Examination) -> Finding | None:
        data = record.data
        first, late, target = data["first"], data["late"], data["target"]
        reach = data.get("reach") or {}
        wanted, fresh = _magnitude(target), _magnitude(first)
        error = number(data["error"])
        if wanted < FAR * max(fresh, 1e-3) or not error >= WORSE_THAN_CONSTANT:
            return None
        if number(reach.get("unreachable")) >= UNREACHABLE:
            return None
        apart = abs(number(late["mean"]) - number(target["mean"])) > number(target["std"])
        if not apart and _magnitude(late) >= NEAR * wanted:
            return None  # a constant at the targets' mean has come all the way
        note = (
            f"The targets are about {target['mean']:.3g} (spread {target['std']:.3g}), fresh "
            f"outputs about {fresh:.2g}; after {data['backward']} steps the outputs are about "
            f"{late['mean']:.3g} (spread {late['std']:.2g}) and their squared error is "
            f"{error:.3g} of the targets' variance, a constant would give 1"
        )
        layer = location((data.get("layer") or {}).get("at"))
        fact = Fact("loss.pairs", note, record.at, record.step)
        moving = max(update_ratios(examination), default=0.0) >= STILL_RATIO
        whole = examination.stopped in ("", "finished") and int(data["backward"]) >= MIN_STEPS
        direct = moving and whole and apart and _magnitude(late) < wanted
        weight = STRONG if direct else MODERATE
        source = assigned_argument(examination.sources, record.at, "loss", 1)
        return fired(weight, fact, note, places=[source, record.at, layer], direct=direct)


def _magnitude(facts: Mapping[str, Any]) -> float:
    return max(abs(number(facts.get("mean"))), number(facts.get("std")))
