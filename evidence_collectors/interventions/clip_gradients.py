"""Clip the gradients of each step to a norm of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    pass


class ClipGradients(CountedChange):
    """Before each step the gradients that an optimizer holds are scaled down to an L2 norm of 1."""

    name: ClassVar[str] = "clip_gradients"

    def step_pre(self, optimizer: Any) -> None:
        torch = self._probe.torch
        gradients = [
            parameter.grad
            for group in optimizer.param_groups
            for parameter in group["params"]
            if parameter.grad is not None and not parameter.grad.is_sparse
        ]
        if not gradients:
            return
        with torch.no_grad():
            norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
            if float(norm) > 1.0:
                self._count += 1
                for gradient in gradients:
                    gradient.mul_(1.0 / norm)


INTERVENTION = ClipGradients
