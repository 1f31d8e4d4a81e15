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
    kinds: ClassVar[dict[str, str]] = {
        "update.ratio": "per update looked at: L2 norm of the update, of the weights and of the "
        "gradient over the watched parameters, their ratio, learning rate, optimizer class",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._due = first_then_powers(DENSE_STEPS, 2)
        self._before: dict[int, list[Any]] = {}

    def step_pre(self, optimizer: Any) -> None:
        if self._due(self._probe.count_of(optimizer).steps):
            with self._probe.torch.no_grad():
                self._before[id(optimizer)] = [
                    (parameter, parameter.detach().clone()) for parameter in watched(optimizer)
                ]

    def step_post(self, optimizer: Any) -> None:
        before = self._before.pop(id(optimizer), None)
        if not before:
            return
        with self._probe.torch.no_grad():
            moved = self._norm([parameter.detach() - old for parameter, old in before])
            weights = self._norm([old for _, old in before])
            grads = [parameter.grad for parameter, _ in before]
            gradient = self._norm([g for g in grads if g is not None and not g.is_sparse])
        self._probe.record(
            "update.ratio",
            {
                "optimizer": type(optimizer).__name__,
                "update": self._probe.count_of(optimizer).steps,
                "moved": moved,
                "weights": weights,
                "gradient": gradient,
                "ratio": moved / weights if weights > 0 else None,
                "rate": [float(group.get("lr", 0.0)) for group in optimizer.param_groups],
            },
        )

    def _norm(self, tensors: list[Any]) -> float:
        """L2 norm over all elements of some tensors; each is reduced where it lies."""
        norm = self._probe.torch.linalg.vector_norm
        return math.hypot(*[norm(tensor).item() for tensor in tensors])


COLLECTOR = UpdateCollector
