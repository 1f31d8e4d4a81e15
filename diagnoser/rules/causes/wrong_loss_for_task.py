"""The cause `wrong-loss-for-task`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    STRONG,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import last_by_place, place_text, shape_text
from diagnoser.rules.source_edits import replace_once
from diagnoser.schema import Edit, Location

REGRESSION = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "difference"})
MIN_MANY = 0.05
"""Share of rows with two or more ones from which targets are tags, not classes."""
THRESHOLDS = frozenset({"gt", "ge", "lt", "le", "sigmoid"})
MIN_NEAREST = 0.6
"""Share of rows whose nearest class mean is their own: the ids then name groups of inputs."""
MIN_ADVANTAGE = 0.25
"""By how much that must beat rounding the regression's output."""
CLEAR_ADVANTAGE = 0.4
MAX_LINEAR = 0.6
"""Share of the class means' variance that lies on one line over the id. Ratings and counts are an
ordered scale (near 1); K unordered classes give about 1/(K-1)."""


class WrongLossForTask(Rule):
    """The loss fits another kind of task than the targets do.

    What it detects:
        A multi-class loss on one output unit or on rows with several ones; a regression loss on
        class ids whose order means nothing.
    Why it breaks training:
        Softmax over one unit is 1, so the loss is 0 from the start. Softmax over tags lets only one
        win and leaves the level of the outputs open, so that a threshold means nothing. Regression
        on ids puts class 3 between 2 and 4 and answers with the middle where it is unsure.
    Evidence:
        loss.pairs: loss, shapes, ones in each row of the targets, how outputs are turned into
        decisions; for ids: the share of rows whose nearest class mean is their own, against the
        share of outputs that round to the id, and how far the class means follow the ids' order.
    Example:
        criterion = nn.CrossEntropyLoss()            # outputs [N, 1], targets 0 or 1
    Use instead:
        criterion = nn.BCEWithLogitsLoss()
    Can be confused with:
        Soft labels whose rows sum to 1; a ranking over many items with several hits, which is
        read by topk; ratings and counts, whose order is real.
    Verify:
        Print one row of outputs and its target, and name the values that the loss allows.
    Prevent:
        One class of K: cross-entropy with K units. Several of K: binary loss with K units.
    References:
        PyTorch documentation, CrossEntropyLoss and BCEWithLogitsLoss.
    """

    slug: ClassVar[str] = "wrong-loss-for-task"
    title: ClassVar[str] = "The loss does not fit the task"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "underfitting": -5,
        "loss-plateaus": -7,
        "too-good": -6,
    }
    needs: ClassVar[tuple[str, ...]] = ("loss.pairs",)
    fix_summary: ClassVar[str] = "Use the loss that belongs to the form of the targets"
    prevention: ClassVar[str] = (
        "One class of K: cross-entropy with K units; several of K: a binary loss with K units; a "
        "quantity: a regression loss."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        pairs = last_by_place(examination, "loss.pairs")
        if not pairs:
            return [missing("no prediction was seen beside its target")]
        found = [f for f in (self._read(record) for record in pairs) if f is not None]
        if found:
            return found
        first = pairs[0].data
        text = (
            f"{first['loss']} gets outputs {shape_text(first['predicted_shape'])} and targets "
            f"{shape_text(first['target_shape'])} of {first['target_dtype']}"
        )
        return [silent(text, facts=[Fact("loss.pairs", text, pairs[0].at)])]

    def _read(self, record: Record) -> Finding | None:
        found = self._one_unit(record) or self._tags(record) or self._ids(record)
        if found is None:
            return None
        note, weight = found
        fact = Fact("loss.pairs", note, record.at, record.step)
        owner = location(record.data.get("criterion_at"))
        layer = location((record.data.get("layer") or {}).get("at"))
        places: list[Location | None] = [owner, record.at, layer]
        return fired(weight, fact, note, places=places, direct=weight >= STRONG)

    @staticmethod
    def _one_unit(record: Record) -> tuple[str, int] | None:
        data = record.data
        shape = data["predicted_shape"]
        if data.get("loss") != "cross_entropy" or len(shape) < 2 or int(shape[1]) != 1:
            return None
        target = data.get("target") or {}
        if int(target.get("distinct", 0)) < 2:
            return None
        note = (
            f"Cross-entropy gets one output unit {shape_text(shape)} at {place_text(record.at)}: a "
            f"softmax over one unit is 1, the loss and every gradient are 0, while the targets "
            f"take {target['distinct']} values"
        )
        return note, DECISIVE

    @staticmethod
    def _tags(record: Record) -> tuple[str, int] | None:
        rows = record.data.get("class_rows")
        if not isinstance(rows, Mapping) or not rows.get("binary"):
            return None
        many = number(rows.get("many"))
        if not many >= MIN_MANY:
            return None
        decided = record.data.get("decided") or {}
        used = sorted(THRESHOLDS & set(decided))
        note = (
            f"Cross-entropy gets targets of zeros and ones with two or more ones in {many:.0%} of "
            f"the rows ({number(rows['mean_sum']):.2f} ones a row): softmax lets them compete"
        )
        if not used:
            return note, MODERATE
        above = number(rows.get("above_zero"))
        return (
            f"{note}, and the outputs are read one by one ({', '.join(used)}); {above:.2f} a row "
            f"lie above 0",
            DECISIVE,
        )

    @staticmethod
    def _ids(record: Record) -> tuple[str, int] | None:
        data = record.data
        near = data.get("neighbours")
        if data.get("loss") not in REGRESSION or not isinstance(near, Mapping):
            return None
        nearest, rounded = number(near.get("nearest_mean")), number(near.get("rounded"))
        linear = number(near.get("linear"))
        if nearest < MIN_NEAREST or nearest - rounded < MIN_ADVANTAGE or linear > MAX_LINEAR:
            return None
        note = (
            f"{data['loss']} is fed {near['classes']} ids as numbers at {place_text(record.at)}: "
            f"outputs round to the id in {rounded:.0%} of {near['rows']} rows, while {nearest:.0%} "
            f"lie nearest to the mean of their own class, and only {linear:.0%} of what tells the "
            f"classes apart follows the order of the ids"
        )
        return note, DECISIVE if nearest - rounded >= CLEAR_ADVANTAGE else STRONG

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            fact = finding.facts[0] if finding.facts else None
            if not finding.direct or fact is None or not fact.summary.startswith("Cross-entropy"):
                continue
            for place in finding.places:
                edit = replace_once(
                    source, place, r"\bCrossEntropyLoss\b", "BCEWithLogitsLoss", self.slug
                ) or replace_once(
                    source,
                    place,
                    r"\bcross_entropy\b",
                    "binary_cross_entropy_with_logits",
                    self.slug,
                )
                if edit is not None:
                    return [edit]
        return []
