"""Step without weight decay."""

from __future__ import annotations

from typing import Any, ClassVar, Optional

from evidence_collectors.counted_change import GroupChange


class NoWeightDecay(GroupChange):
    """Steps are made with a weight decay of zero."""

    name: ClassVar[str] = "no_weight_decay"
    option: ClassVar[str] = "weight_decay"

    def changed(self, optimizer: Any, index: int, value: Any) -> Optional[Any]:
        return 0.0 if value else None


INTERVENTION = NoWeightDecay
