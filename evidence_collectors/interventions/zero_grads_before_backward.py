"""Clear the gradients of an optimizer once after each of its steps, before the next backward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class ZeroGradsBeforeBackward:
    """Sets `.grad` to None at the first backward after a step; accumulation in between is kept."""

    name: ClassVar[str] = "zero_grads_before_backward"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._stepped: dict[int, Any] = {}
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the hub's events are enough."""

    def step_post(self, optimizer: Any) -> None:
        self._stepped[id(optimizer)] = optimizer

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        for optimizer in self._stepped.values():
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        parameter.grad = None
                        self._count += 1
        self._stepped.clear()

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": False},
            essential=True,
        )


INTERVENTION = ZeroGradsBeforeBackward
