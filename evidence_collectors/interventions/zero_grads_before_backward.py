"""Clear the gradients of an optimizer once after each of its steps, before the next backward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class ZeroGradsBeforeBackward(CountedChange):
    """Sets `.grad` to None at the first backward after a step; accumulation in between is kept."""

    name: ClassVar[str] = "zero_grads_before_backward"

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._stepped: dict[int, Any] = {}

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


INTERVENTION = ZeroGradsBeforeBackward
