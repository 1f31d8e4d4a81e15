"""The cause `sigmoid-before-bce-with-logits`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    STRONG,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, location, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.unwrap_call import unwrap_call
from diagnoser.rules.wrappers import maker
from diagnoser.schema import Edit

MIN_CALLS = 2
MIN_VALUES = 60
"""Fresh logits scatter around 0: this many without one negative are no logits (2^-60)."""
RANGE_ERROR = "all elements of input should be between 0 and 1"


class SigmoidBeforeBceWithLogits(Rule):
    """The binary loss gets probabilities where it expects logits, or logits where probabilities.

    What it detects:
        Every value that enters binary_cross_entropy_with_logits in training comes from a sigmoid
        (or lies in (0, 1) in every call); or BCELoss is given values outside [0, 1].
    Why it breaks training:
        The sigmoid is taken twice: outputs stay in (0.5, 0.73), so that the loss of a positive
        cannot fall under 0.31 nor that of a negative under 0.69. BCELoss on logits raises.
    Evidence:
        loss.inputs: range and the operation that made the input; exception.raised.
    Example:
        loss = F.binary_cross_entropy_with_logits(torch.sigmoid(score), y)
    Use instead:
        loss = F.binary_cross_entropy_with_logits(score, y)
    Can be confused with:
        Scores that are probabilities for another reason; a ReLU before the loss.
    Verify:
        Print the minimum of what enters the loss: logits have negative values.
    Prevent:
        Let forward return logits; take the sigmoid where probabilities are shown.
    References:
        PyTorch documentation, torch.nn.BCEWithLogitsLoss.
    """

    slug: ClassVar[str] = "sigmoid-before-bce-with-logits"
    title: ClassVar[str] = "Probabilities and logits are confused under the binary loss"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -5,
        "loss-plateaus": -4,
        "underfitting": -7,
        "crash": -12,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"sigmoid.{0,80}(bce|logits)|(bce|logits).{0,80}sigmoid", 12),
        Cue(r"never (gets? )?below 0\.[3-6]|0\.5 at best", 3),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.inputs", "exception.raised")
    fix_summary: ClassVar[str] = "Use BCEWithLogitsLoss on logits, without a sigmoid before it"
    prevention: ClassVar[str] = (
        "Let forward return logits and pair them with BCEWithLogitsLoss everywhere."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        crash = self._crash(examination)
        if crash is not None:
            return [crash]
        calls = [
            record
            for record in examination.of("loss.inputs")
            if record.data.get("loss") == "binary_cross_entropy_with_logits"
            and (record.data.get("input") or {}).get("requires_grad")
        ]
        if len(calls) < MIN_CALLS:
            return [missing("no binary loss on logits was seen")]
        by_graph = [record for record in calls if record.data.get("source") == "SigmoidBackward0"]
        inside = [
            record
            for record in calls
            if number(record.data["input"].get("min")) > 0
            and number(record.data["input"].get("max")) < 1
        ]
        if len(by_graph) < len(calls) and len(inside) < len(calls):
            low = min(number(record.data["input"].get("min")) for record in calls)
            text = f"The binary loss gets logits (minimum {low:.3g}) at {place_text(calls[0].at)}"
            return [silent(text, facts=(Fact("loss.inputs", text, calls[0].at),))]
        first = (by_graph or inside)[0]
        count = sum(self._size(record.data["input"].get("shape")) for record in calls)
        certain = len(by_graph) == len(calls)
        if not certain and count < MIN_VALUES:
            return [silent("too few values to tell probabilities from logits")]
        origin = maker(examination, first.data.get("activation") or {})
        by = f", made by a sigmoid at {place_text(origin)}" if origin is not None else ""
        low = min(number(record.data["input"].get("min")) for record in calls)
        high = max(number(record.data["input"].get("max")) for record in calls)
        note = (
            f"All {count} values that enter the binary loss on logits at {place_text(first.at)} "
            f"lie in [{low:.3g}, {high:.3g}]{by}: the sigmoid is taken twice"
        )
        fact = Fact("loss.inputs", note, first.at, first.step)
        weight = DECISIVE if certain else STRONG
        return [fired(weight, fact, note, places=[origin, first.at], direct=True)]

    @staticmethod
    def _size(shape: object) -> int:
        size = 1
        for length in shape if isinstance(shape, (list, tuple)) else ():
            size *= int(length)
        return size

    @staticmethod
    def _crash(examination: Examination) -> Finding | None:
        raised = examination.last("exception.raised")
        if raised is None or RANGE_ERROR not in str(raised.data.get("message")):
            return None
        calls = [
            record
            for record in examination.of("loss.inputs")
            if record.data.get("loss") == "binary_cross_entropy"
        ]
        low = min((number(r.data["input"].get("min")) for r in calls), default=0.0)
        high = max((number(r.data["input"].get("max")) for r in calls), default=0.0)
        note = (
            f"BCELoss expects probabilities and got values from {low:.3g} to {high:.3g}: logits "
            f"without a sigmoid"
        )
        places = [location(record.data.get("criterion_at")) for record in calls[:1]]
        fact = Fact("exception.raised", note, raised.at, raised.step)
        return fired(DECISIVE, fact, note, places=[*places, raised.at], direct=True)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if finding.direct and finding.places:
                edit = unwrap_call(source, finding.places[0], ("sigmoid", "Sigmoid"), self.slug)
                if edit is not None:
                    return [edit]
        return []
