"""Step without weight decay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class NoWeightDecay:
    """Sets the groups' weight decay to zero during each step and puts it back right after."""

    name: ClassVar[str] = "no_weight_decay"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the optimizers' own hooks are enough."""
        self._saved: dict[int, list[Any]] = {}

    def step_pre(self, optimizer: Any) -> None:
        self._saved[id(optimizer)] = [group.get("weight_decay") for group in optimizer.param_groups]
        for group in optimizer.param_groups:
            if group.get("weight_decay"):
                group["weight_decay"] = 0.0
                self._count += 1

    def step_post(self, optimizer: Any) -> None:
        saved = self._saved.pop(id(optimizer), None)
        for group, value in zip(optimizer.param_groups, saved or ()):
            if value is not None:
                group["weight_decay"] = value

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": False},
            essential=True,
        )


INTERVENTION = NoWeightDecay
