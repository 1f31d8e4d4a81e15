"""Multiply every learning rate by a factor during each optimizer step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.counted_change import GroupChange

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class ScaleLearningRate(GroupChange):
    """Steps use the rate times the parameter `factor` (dimensionless)."""

    name: ClassVar[str] = "scale_learning_rate"
    option: ClassVar[str] = "lr"

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._factor = float(params["factor"])

    def changed(self, optimizer: Any, index: int, value: Any) -> Optional[Any]:
        return value * self._factor


INTERVENTION = ScaleLearningRate
