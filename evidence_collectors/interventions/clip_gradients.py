"""Clip the gradients of each step to a norm of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class ClipGradients:
    """Before each step the gradients that an optimizer holds are scaled down to an L2 norm of 1."""

    name: ClassVar[str] = "clip_gradients"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the optimizers' own hooks are enough."""

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

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": False},
            essential=True,
        )


INTERVENTION = ClipGradients
