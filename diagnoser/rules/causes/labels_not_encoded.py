"""The cause `labels-not-encoded`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import place_text

BINARY = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
TOLERANCE = 1e-6


class LabelsNotEncoded(Rule):
    """Class labels have another form than the loss expects.

    What it detects:
        Targets of a binary cross-entropy that lie outside of 0 to 1, such as -1 and 1 or 1 and 2.
    Why it breaks training:
        For such a target the loss has no lower bound: it falls without end while predictions grow
        in one direction.
    Evidence:
        loss.inputs: least and greatest target at the loss, and the loss's range.
    Example:
        loss = F.binary_cross_entropy_with_logits(logits, labels)  # labels are -1 and 1
    Use instead:
        loss = F.binary_cross_entropy_with_logits(logits, (labels + 1) / 2)
    Can be confused with:
        Smoothed labels (they stay inside 0 to 1: silent); a loss for -1 and 1, such as
        soft_margin_loss.
    Verify:
        Print labels.unique() right before the loss.
    Prevent:
        Assert on the set of label values where the data is read.
    References:
        PyTorch documentation, torch.nn.BCEWithLogitsLoss ("targets should be between 0 and 1").
    """

    slug: ClassVar[str] = "labels-not-encoded"
    title: ClassVar[str] = "Labels have another form than the loss expects"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "loss-explodes": -6,
        "underfitting": -6,
        "loss-flat": -8,
        "loss-nan": -9,
        "too-good": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"labels? (are|is) (-1|1 and 2|strings?|text|names)|-1 ?(and|/|,) ?\+?1|one.?hot", 10),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.inputs",)
    fix_summary: ClassVar[str] = "Map the labels to the values that the loss expects"
    prevention: ClassVar[str] = "Assert on the set of label values where the data is read."

    def weigh(self, examination: Examination) -> list[Finding]:
        seen = [r for r in examination.of("loss.inputs") if r.data.get("loss") in BINARY]
        if not seen:
            return [missing("no binary cross-entropy was seen")]
        outside = [record for record in seen if self._is_outside(record)]
        if not outside:
            return [silent("binary targets lie between 0 and 1")]
        record = outside[0]
        target = record.data["target"]
        note = (
            f"Targets of {record.data['loss']} at {place_text(record.at)} go from "
            f"{number(target['min']):.4g} to {number(target['max']):.4g}; it expects 0 to 1"
        )
        fact = Fact("loss.inputs", note, record.at, record.step, {"target": dict(target)})
        return [fired(DECISIVE, fact, note, places=[record.at], direct=True)]

    @staticmethod
    def _is_outside(record: Record) -> bool:
        target = record.data.get("target", {})
        least, greatest = number(target.get("min", 0)), number(target.get("max", 0))
        return least < -TOLERANCE or greatest > 1 + TOLERANCE
