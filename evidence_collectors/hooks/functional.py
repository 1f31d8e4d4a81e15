"""Functional losses, output activations and the functions that depend on train/eval mode.

The module forms (`nn.CrossEntropyLoss`, `nn.Dropout` …) call these by attribute, so one patch
covers both. Before anything is compiled with torch.jit the patches are taken out again, since the
compiler reads the source of what it meets; they are out, too, in steps that nobody looks at.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any, Callable, Optional

from evidence_collectors.patching import Patches

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam

LOSSES = (
    "cross_entropy",
    "nll_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "mse_loss",
    "l1_loss",
    "smooth_l1_loss",
    "huber_loss",
    "kl_div",
    "poisson_nll_loss",
)
ACTIVATIONS = ("softmax", "log_softmax", "sigmoid")


@dataclass(frozen=True)
class LossCall:
    """One call of a functional loss."""

    name: str
    input: Any
    target: Any
    options: dict[str, Any]
    frame: Optional[FrameType]


def install(seam: Seam, torch: Any) -> None:
    """Emit loss_called, loss_made, activation_called and noise_called."""
    hub, probe = seam.hub, seam.probe
    grad_enabled = torch.is_grad_enabled
    functional = torch.nn.functional
    patches = Patches()

    def loss(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
                if probe.quiet:
                    return original(input, target, *args, **kwargs)
                frame = sys._getframe(1)
                hub.emit("loss_called", LossCall(name, input, target, kwargs, frame))
                output = original(input, target, *args, **kwargs)
                hub.emit("loss_made", name, output, frame)
                return output

            return wrapped

        return make

    def activation(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(*args: Any, **kwargs: Any) -> Any:
                output = original(*args, **kwargs)
                if probe.quiet:
                    return output
                hub.emit("activation_called", name, output, sys._getframe(1))
                return output

            return wrapped

        return make

    def make_dropout(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def dropout(
            input: Any, p: float = 0.5, training: bool = True, inplace: bool = False
        ) -> Any:
            if p > 0 and not (probe.quiet and grad_enabled()):
                hub.emit("noise_called", "dropout", bool(training))
            return original(input, p, training, inplace)

        return dropout

    def make_batch_norm(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def batch_norm(input: Any, running_mean: Any, *args: Any, **kwargs: Any) -> Any:
            if running_mean is not None and not (probe.quiet and grad_enabled()):
                training = kwargs.get("training", args[3] if len(args) > 3 else False)
                hub.emit("noise_called", "batch_norm", bool(training))
            return original(input, running_mean, *args, **kwargs)

        return batch_norm

    for name in LOSSES:
        patches.replace(functional, name, loss(name))
    for name in ACTIVATIONS:
        patches.replace(functional, name, activation(name))
        patches.replace(torch, name, activation(name))
        if hasattr(torch.Tensor, name):
            patches.replace(torch.Tensor, name, activation(name))
    for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout"):
        patches.replace(functional, name, make_dropout)
    patches.replace(functional, "batch_norm", make_batch_norm)

    def make_script(original: Callable[..., Any]) -> Callable[..., Any]:
        def compile_without_patches(*args: Any, **kwargs: Any) -> Any:
            patches.undo_all()
            return original(*args, **kwargs)

        return compile_without_patches

    seam.patches.on_undo(patches.undo_all)
    probe.switches.append(patches.mute)
    seam.patches.replace(torch.jit, "script", make_script)
    seam.patches.replace(torch.jit, "trace", make_script)
