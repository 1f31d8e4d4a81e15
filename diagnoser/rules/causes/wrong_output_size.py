"""The cause `wrong-output-size`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import last_by_place, place_text, shape_text

COMPARED = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "difference"})
MIN_WITHIN = 0.4
"""Share of the targets' variance that lies within the rows. Several readings of one quantity, as by
raters of one text, agree and give a small one; K unrelated targets give 1 - 1/K."""


class WrongOutputSize(Rule):
    """The last layer has one unit where the loss compares it with several different targets.

    What it detects:
        A prediction [N, 1] broadcasts against targets [N, K] whose columns differ, or its residual
        is weighted with K different levels, as for K quantiles.
    Why it breaks training:
        One number serves for K. It ends at their mean (or at one quantile); there is no error.
    Evidence:
        loss.pairs: both shapes, the share of the targets' variance that lies within the rows; the
        constant row that a residual column is multiplied with.
    Example:
        head = nn.Linear(32, 1)                      # targets [N, 3]
    Use instead:
        head = nn.Linear(32, 3)
    Can be confused with:
        One prediction for several readings of the same quantity, a scalar times a time grid.
    Verify:
        assert prediction.shape == target.shape
    Prevent:
        Derive the number of units from the targets: `nn.Linear(width, targets.shape[1])`.
    References:
        PyTorch documentation, "Broadcasting semantics".
    """

    slug: ClassVar[str] = "wrong-output-size"
    title: ClassVar[str] = "The output has too few units for its targets"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "loss-plateaus": -5,
        "underfitting": -5,
    }
    needs: ClassVar[tuple[str, ...]] = ("loss.pairs",)
    fix_summary: ClassVar[str] = "Give the last layer as many units as there are targets"
    prevention: ClassVar[str] = "Write `assert prediction.shape == target.shape` before the loss."

    def weigh(self, examination: Examination) -> list[Finding]:
        pairs = last_by_place(examination, "loss.pairs")
        if not pairs:
            return [missing("no prediction was seen beside its target")]
        found = [f for f in (self._read(record) for record in pairs) if f is not None]
        if found:
            return found
        shapes = pairs[0].data
        text = (
            f"Prediction {shape_text(shapes['predicted_shape'])} meets target "
            f"{shape_text(shapes['target_shape'])} at {place_text(pairs[0].at)}"
        )
        return [silent(text, facts=[Fact("loss.pairs", text, pairs[0].at)])]

    def _read(self, record: Record) -> Finding | None:
        note = self._broadcast(record) or self._levels(record)
        if note is None:
            return None
        layer = location((record.data.get("layer") or {}).get("at"))
        product = location((record.data.get("product") or {}).get("at"))
        fact = Fact("loss.pairs", note, record.at, record.step)
        return fired(DECISIVE, fact, note, places=[layer, record.at, product], direct=True)

    @staticmethod
    def _broadcast(record: Record) -> str | None:
        data = record.data
        left, right = data["predicted_shape"], data["target_shape"]
        if data.get("loss") not in COMPARED or len(left) != 2 or len(right) != 2:
            return None
        rows, columns = int(right[0]), int(right[1])
        if left[1] != 1 or columns < 2 or rows < 2 or left[0] != rows:
            return None
        within = number(data.get("within"))
        if not within >= MIN_WITHIN:
            return None
        return (
            f"The output has 1 unit for {columns} targets: {shape_text(left)} is broadcast against "
            f"{shape_text(right)} at {place_text(record.at)}, and {within:.0%} of the targets' "
            f"variance lies within the rows, where one number cannot follow"
        )

    @staticmethod
    def _levels(record: Record) -> str | None:
        """Levels of several quantiles lie between 0 and 1 and weight the residual of each."""
        product = record.data.get("product")
        if not isinstance(product, Mapping):
            return None
        low, high, size = number(product["min"]), number(product["max"]), int(product["size"])
        left = record.data["predicted_shape"]
        if not (0 < low < high < 1) or int(product["distinct"]) != size or left[-1:] != [1]:
            return None
        return (
            f"The output has 1 unit, and its residual is weighted with {size} different levels "
            f"({low:.3g} to {high:.3g}) at {place_text(location(product.get('at')))}: all {size} "
            f"are answered by the same number"
        )
