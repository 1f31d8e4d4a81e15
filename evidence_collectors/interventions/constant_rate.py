"""Keep the learning rate of the first step throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.counted_change import GroupChange

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class ConstantRate(GroupChange):
    """Steps use the rates of their optimizer's first step."""

    name: ClassVar[str] = "constant_rate"
    option: ClassVar[str] = "lr"

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._first: dict[int, list[Any]] = {}

    def changed(self, optimizer: Any, index: int, value: Any) -> Optional[Any]:
        rates = [group.get("lr") for group in optimizer.param_groups]
        first = self._first.setdefault(id(optimizer), rates)
        return first[index] if index < len(first) and first[index] != value else None


INTERVENTION = ConstantRate
