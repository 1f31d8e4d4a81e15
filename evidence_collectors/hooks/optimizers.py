"""Optimizers: construction, clearing, and the boundaries of each step."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit optimizer_created, zeroed, step_pre and step_post; stop the run at step boundaries."""
    probe, hub, stopper = seam.probe, seam.hub, seam.stopper
    from torch.optim.optimizer import (
        register_optimizer_step_post_hook,
        register_optimizer_step_pre_hook,
    )

    def pre(optimizer: Any, args: Any, kwargs: Any) -> None:
        hub.emit("step_pre", optimizer)

    def post(optimizer: Any, args: Any, kwargs: Any) -> None:
        hub.emit("step_post", optimizer)
        probe.step += 1
        stopper.check(probe.step)

    seam.patches.on_undo(register_optimizer_step_pre_hook(pre).remove)
    seam.patches.on_undo(register_optimizer_step_post_hook(post).remove)

    def make_init(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            probe.novelty()
            hub.emit("optimizer_created", self, sys._getframe(1))

        return __init__

    def make_zero(original: Callable[..., Any]) -> Callable[..., Any]:
        def zero_grad(self: Any, *args: Any, **kwargs: Any) -> Any:
            hub.emit("zeroed", self, sys._getframe(1))
            return original(self, *args, **kwargs)

        return zero_grad

    seam.patches.replace(torch.optim.Optimizer, "__init__", make_init)
    seam.patches.replace(torch.optim.Optimizer, "zero_grad", make_zero)
    seam.patches.replace(torch.nn.Module, "zero_grad", make_zero)
