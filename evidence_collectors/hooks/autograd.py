"""Backward calls: the one door through which every loss goes.

Only `torch.autograd.backward` is patched; `Tensor.backward` calls it, so patching both would count
each call twice.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit backward_enter and backward_exit around each call."""
    probe, hub, stopper = seam.probe, seam.hub, seam.stopper
    emit, frame_at, tensor_type = hub.emit, sys._getframe, torch.Tensor

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        def backward(tensors: Any, *args: Any, **kwargs: Any) -> Any:
            roots = (tensors,) if isinstance(tensors, tensor_type) else tuple(tensors)
            if probe.phase == "setup":
                probe.phase = "train"
            emit("backward_enter", roots, frame_at(1))
            probe.walks.clear()
            result = original(tensors, *args, **kwargs)
            probe.after_backward()
            if not probe.asleep:
                emit("backward_exit", roots, frame_at(1))
            if probe.bad_loss:
                emit("loss_nonfinite", roots, frame_at(1))
            if probe.step == 0:
                stopper.check(probe.backwards, perf_counter())
            return result

        return backward

    seam.patches.replace(torch.autograd, "backward", make)
