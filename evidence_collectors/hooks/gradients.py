"""What changes gradients between backward and step: clipping and gradient scalers."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam

CLIPS = ("clip_grad_norm_", "clip_grad_value_")
SCALER_CALLS = ("scale", "unscale_", "step", "update")


def install(seam: Seam, torch: Any) -> None:
    """Emit clipped, scaler_called and scaler_done."""
    hub, probe = seam.hub, seam.probe

    def clip(kind: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(parameters: Any, limit: Any, *args: Any, **kwargs: Any) -> Any:
                if not isinstance(parameters, torch.Tensor):
                    parameters = list(parameters)
                if not probe.quiet:
                    listed = parameters if isinstance(parameters, list) else [parameters]
                    hub.emit("clipped", kind, listed, limit, sys._getframe(1))
                return original(parameters, limit, *args, **kwargs)

            @functools.wraps(original)
            def by_name(*args: Any, **kwargs: Any) -> Any:
                """The limit is called max_norm or clip_value."""
                for name in ("parameters", "max_norm", "clip_value"):
                    if name in kwargs:
                        args = (*args, kwargs.pop(name))
                return wrapped(*args, **kwargs)

            return by_name

        return make

    def scaler_call(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
                if not self.is_enabled():
                    return original(self, *args, **kwargs)
                subject = args[0] if args else next(iter(kwargs.values()), None)
                hub.emit("scaler_called", name, self, subject, sys._getframe(1))
                result = original(self, *args, **kwargs)
                hub.emit("scaler_done", name, self, subject, result)
                return result

            return wrapped

        return make

    from torch.nn.utils import clip_grad

    for name in CLIPS:
        for owner in (clip_grad, torch.nn.utils):
            if hasattr(owner, name):
                seam.patches.replace(owner, name, clip(name))
    scalers = [getattr(getattr(torch, "amp", None), "GradScaler", None)]
    if scalers[0] is None:  # before torch 2.3
        scalers = [getattr(torch.cuda.amp, "GradScaler", None)]
    for scaler in scalers:
        for name in SCALER_CALLS if scaler is not None else ():
            seam.patches.replace(scaler, name, scaler_call(name))
