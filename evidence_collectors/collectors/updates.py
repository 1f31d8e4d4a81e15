"""How far each update moves the weights: update-to-weight ratio, gradient norm, learning rate."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.schedule import first_then_powers
from evidence_collectors.watched import watched

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

DENSE_STEPS = 5


class UpdateCollector:
    """Records ratio |update| / |weight| and the gradient norm over the watched parameters."""

    name: ClassVar[str] = "updates"
    always: ClassVar[tuple[str, ...]] = ("step_post",)
    kinds: ClassVar[dict[str, str]] = {
        "update.ratio": "per update looked at: L2 norm of the update, of the weights and of the "
        "gradient over the watched parameters, their ratio, learning rate, optimizer class",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._due = first_then_powers(DENSE_STEPS, 2)
        self._updates: dict[int, int] = {}
        self._before: dict[int, list[Any]] = {}

    def step_pre(self, optimizer: Any) -> None:
        count = self._updates.get(id(optimizer), 0)
        if self._due(count):
            with self._probe.torch.no_grad():
                self._before[id(optimizer)] = [
                    (parameter, parameter.detach().clone()) for parameter in watched(optimizer)
                ]

    def step_post(self, optimizer: Any) -> None:
        key = id(optimizer)
        self._updates[key] = self._updates.get(key, 0) + 1
        before = self._before.pop(key, None)
        if not before:
            return
        moved = weights = gradients = 0.0
        with self._probe.torch.no_grad():
            for parameter, old in before:
                moved += float((parameter.detach() - old).double().pow(2).sum())
                weights += float(old.double().pow(2).sum())
                grad = parameter.grad
                if grad is not None and not grad.is_sparse:
                    gradients += float(grad.detach().double().pow(2).sum())
        self._probe.record(
            "update.ratio",
            {
                "optimizer": type(optimizer).__name__,
                "update": self._updates[key] - 1,
                "moved": _root(moved),
                "weights": _root(weights),
                "gradient": _root(gradients),
                "ratio": _root(moved) / _root(weights) if weights > 0 else None,
                "rate": [float(group.get("lr", 0.0)) for group in optimizer.param_groups],
            },
        )


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


COLLECTOR = UpdateCollector
