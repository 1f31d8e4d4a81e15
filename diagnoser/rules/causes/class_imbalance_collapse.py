"""The cause `class-imbalance-collapse`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, number
from diagnoser.schema import Location

MIN_ROWS = 64
MAJORITY = 0.7
"""Share of the commonest label from which a set is imbalanced (twice as many as all others)."""
ONE_ANSWER = 0.99
RANKED = 0.65
"""Area under the curve from which the scores know the rare class although it is never answered."""
MIN_UPDATES = 30
SIGMAS = 1.5


class ClassImbalanceCollapse(Rule):
    """The model answers the majority class for everything.

    What it detects:
        Labels of which one class holds far more than half, predictions that are all that class at
        the end of training, and scores that do rank the rare class above the others.
    Why it breaks training:
        Answering the majority is nearly right on average, so that the loss has little to gain from
        the rare class; accuracy looks good and the class that matters is never found.
    Evidence:
        batches.predicted: labels and predictions by class over the last rows looked at, and the
        area under the curve of the rare class's score.
    Example:
        criterion = nn.BCEWithLogitsLoss()
    Use instead:
        criterion = nn.BCEWithLogitsLoss(pos_weight=negatives / positives)
    Can be confused with:
        A task in which the inputs say nothing about the label (the scores do not rank: suspected
        only); a model that has not learnt yet.
    Verify:
        Print the confusion matrix and the recall of each class.
    Prevent:
        Report recall by class beside accuracy; weight the loss or sample the rare class more often.
    References:
        He and Garcia, "Learning from Imbalanced Data" (2009); PyTorch documentation,
        BCEWithLogitsLoss, pos_weight.
    """

    slug: ClassVar[str] = "class-imbalance-collapse"
    title: ClassVar[str] = "The model answers the majority class for everything"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {
        "underfitting": -4,
        "loss-flat": -8,
        "too-good": -9,
        "loss-plateaus": -8,
        "overfitting": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"majority|biggest class|most (common|frequent) class|imbalanc|unbalanc|"
            r"rare (class|event)|share of the (biggest|largest)|always (predict|says?|"
            r"answers?)",
            8,
        ),
        Cue(
            r"never .{0,30}(rais|found|find|detect|predict|alarm)|does not find any|"
            r"recall (is )?(zero|0)|only (ever )?(answers?|predicts?|says?)",
            8,
        ),
        Cue(r"(8\d|9\d)(\.\d+)? ?(%|percent).{0,60}(but|which|exactly|always|never)", 5),
    )
    needs: ClassVar[tuple[str, ...]] = ("batches.predicted", "batches.labels")
    fix_summary: ClassVar[str] = "Weight the loss by class, or sample the rare class more often"
    prevention: ClassVar[str] = (
        "Report the recall of each class beside accuracy, and weight the loss or sample the rare "
        "class more often."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("batches.predicted")
        if record is None or int(record.data.get("rows", 0)) < MIN_ROWS:
            return [missing("fewer than 64 rows met their class labels")]
        data = record.data
        every = examination.data("batches.labels").get("labels") or data["labels"]
        total = sum(int(count) for count in every.values())
        label, most = max(((k, int(v)) for k, v in every.items()), key=lambda pair: pair[1])
        rows = int(data["rows"])
        answered = int(data["predicted"].get(label, 0))
        text = (
            f"{most / total:.0%} of {total} labels are class {label}; {answered} of the last "
            f"{rows} "
            f"predictions are it"
        )
        fact = Fact("batches.predicted", text, record.at, record.step, dict(data))
        collapsed = answered >= ONE_ANSWER * rows and examination.updates >= MIN_UPDATES
        if len(every) < 2 or most < MAJORITY * total or not collapsed:
            return [silent(text, facts=(fact,))]
        area = number(data.get("ranked"))
        note = (
            f"{text}, although the scores rank class {data['rarest']} right in {area:.0%} of pairs"
        )
        places: list[Location | None] = [
            *(r.at for r in examination.of("loss.inputs")[:1]),
            record.at,
        ]
        rare = int(data["labels"].get(str(data["rarest"]), 0))
        if area >= RANKED and 0 < rare < rows and self._is_certain(area, rare, rows):
            return [fired(DECISIVE, fact, note, places=places, direct=True)]
        return [fired(MODERATE, fact, text, places=places)]

    @staticmethod
    def _is_certain(area: float, rare: int, rows: int) -> bool:
        """Whether this area is beyond what so few rows show by chance (Mann-Whitney)."""
        others = rows - rare
        return area - 0.5 >= SIGMAS * math.sqrt((rows + 1) / (12 * rare * others))
