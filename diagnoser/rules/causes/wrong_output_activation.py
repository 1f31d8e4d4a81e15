"""The cause `wrong-output-activation`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import last_by_place, place_text
from diagnoser.rules.unwrap_call import unwrap_call
from diagnoser.schema import Edit, Location

MIN_OUTSIDE = 0.05
"""Share of the targets that must lie out of the activation's range."""
MIN_UNREACHABLE = 0.05
"""Share of the targets' variance that no output can explain; a rounding beyond 1.0 gives 0."""
NAMES = ("relu", "sigmoid", "tanh", "softplus", "softmax", "exp", "elu", "gelu", "silu")
LAYERS = ("ReLU", "Sigmoid", "Tanh", "Softplus", "Softmax", "ELU", "GELU", "SiLU")
BINARY = "binary_cross_entropy_with_logits"
ZERO_ROWS = 0.2
"""Share of rows whose logits are all exactly 0 from which a ReLU before the loss does harm: no
gradient comes from them."""
FLOORS = {"TanhBackward0": 2.0, "SigmoidBackward0": 1.0}
"""Greatest difference of two logits that leave a bounded activation."""
MIN_FLOOR = 0.1
NEAR_FLOOR = 2.0
"""The loss has reached its floor where it ends below this many times it."""


class WrongOutputActivation(Rule):
    """The last activation cannot produce the values that the loss asks for.

    What it detects:
        The prediction comes straight from an activation, and a real share of the targets lies
        outside the range of that activation.
    Why it breaks training:
        A sigmoid gives 0 to 1, a ReLU nothing below 0, a softmax over one unit always 1. Targets
        beyond that are never reached; the output sits at the edge, where the gradient is 0.
    Evidence:
        loss.pairs: the activation behind the prediction, the share of targets out of its range and
        the share of their variance that is thereby out of reach.
    Example:
        return torch.sigmoid(self.hours(h))          # hours from 0 to 9
    Use instead:
        return self.hours(h)
    Can be confused with:
        Targets that lie in the range, such as pixels in 0 to 1 or counts behind a softplus; targets
        that only need scaling.
    Verify:
        Print the minimum and maximum of prediction and target side by side.
    Prevent:
        Give a regression's last layer no activation unless the target's range is known.
    References:
        Goodfellow, Bengio, Courville, "Deep Learning", section 6.2.2 (output units).
    """

    slug: ClassVar[str] = "wrong-output-activation"
    title: ClassVar[str] = "The output's activation cannot reach the targets"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "loss-plateaus": -5,
        "underfitting": -5,
    }
    needs: ClassVar[tuple[str, ...]] = ("loss.pairs",)
    fix_summary: ClassVar[str] = "Leave the activation out of the output, or scale the targets"
    prevention: ClassVar[str] = (
        "Print the range of prediction and target on the first batch; use no output activation for "
        "an unbounded target."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        pairs = last_by_place(examination, "loss.pairs")
        if not pairs:
            return [missing("no prediction was seen beside its target")]
        found = [f for f in (self._read(record, examination) for record in pairs) if f is not None]
        if found:
            return found
        text = "no target lies out of the range that the outputs can reach"
        return [silent(text, facts=[Fact("loss.pairs", text, pairs[0].at)])]

    def _read(self, record: Record, examination: Examination) -> Finding | None:
        data = record.data
        made = data.get("activation") or {}
        note = self._regression(data, made) or self._classes(data, made, examination)
        if note is None:
            return None
        place = location(made.get("at"))
        layer = location((data.get("layer") or {}).get("at"))
        if place is not None:
            note = f"{note}; the activation stands at {place_text(place)}"
        fact = Fact("loss.pairs", note, place or record.at, record.step)
        certain = made.get("at") is not None or bool(data.get("reach"))
        weight = DECISIVE if certain else MODERATE
        return fired(weight, fact, note, places=[place, layer, record.at], direct=certain)

    @staticmethod
    def _regression(data: Mapping[str, Any], made: Mapping[str, Any]) -> str | None:
        reach = data.get("reach")
        if not isinstance(reach, Mapping):
            return None
        outside, lost = number(reach.get("outside")), number(reach.get("unreachable"))
        if outside < MIN_OUTSIDE or lost < MIN_UNREACHABLE:
            return None
        target, late = data["target"], data["late"]
        name = made.get("name") or str(made.get("node", "")).removesuffix("Backward0").lower()
        return (
            f"The prediction comes from {name} and stays within [{late['min']:.3g}, "
            f"{late['max']:.3g}], the targets go from {target['min']:.3g} to {target['max']:.3g}: "
            f"{outside:.0%} of them cannot be reached, with {min(lost, 9.99):.0%} of their variance"
        )

    @staticmethod
    def _classes(
        data: Mapping[str, Any], made: Mapping[str, Any], examination: Examination
    ) -> str | None:
        """A ReLU, tanh or softmax that ends where the loss wants free logits."""
        node, shape = str(made.get("node", "")), data.get("predicted_shape") or [0]
        late, loss = data.get("late") or {}, data.get("loss")
        if node == "SoftmaxBackward0" and late.get("min") == 1.0 and late.get("max") == 1.0:
            return f"A softmax over one unit gives 1 for each of {late['count']} outputs"
        target = data.get("target") or {}
        if loss == BINARY and node == "ReluBackward0" and number(late.get("zeros")) > 0:
            low = 1.0 - number(target.get("mean"))
            if low > MIN_OUTSIDE:
                return (
                    f"A ReLU makes the logits of the binary loss ({late['zeros']:.0%} are exactly "
                    f"0): no probability can fall below 0.5, and {low:.0%} of the targets are 0"
                )
        if loss != "cross_entropy":
            return None
        if node == "ReluBackward0" and number(data.get("all_zero_rows")) >= ZERO_ROWS:
            return (
                f"A ReLU makes the logits of the cross-entropy: in {data['all_zero_rows']:.0%} of "
                f"the rows all are exactly 0, so that no gradient comes from them"
            )
        classes = int(shape[1]) if len(shape) > 1 else 0
        if node in FLOORS and classes > 1:
            floor = math.log(1 + (classes - 1) * math.exp(-FLOORS[node]))
            curve = examination.curve
            end = curve.edge(end=True) if curve is not None else math.nan
            if floor >= MIN_FLOOR and end < NEAR_FLOOR * floor:
                return (
                    f"The logits come from {made.get('name') or node} and differ by at most "
                    f"{FLOORS[node]:g}: with {classes} classes the loss cannot fall below "
                    f"{floor:.3g} (it ends at {end:.3g})"
                )
        return None

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if finding.direct and finding.places:
                edit = self._without(source, finding.places[0])
                if edit is not None:
                    return [edit]
        return []

    def _without(self, source: Source, place: Location) -> Edit | None:
        return unwrap_call(source, place, (*NAMES, *LAYERS), self.slug)
