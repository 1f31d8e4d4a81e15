"""A tenth of the learning rate in the last part of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.counted_change import GroupChange

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class LateDecay(GroupChange):
    """From update `start` on each step uses a tenth of the rate that its group has then."""

    name: ClassVar[str] = "late_decay"
    option: ClassVar[str] = "lr"

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._start = int(params.get("start", 0))

    def changed(self, optimizer: Any, index: int, value: Any) -> Optional[Any]:
        return value * 0.1 if self._probe.step >= self._start else None


INTERVENTION = LateDecay
