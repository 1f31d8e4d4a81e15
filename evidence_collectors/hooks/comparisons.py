"""Comparisons of tensors and choices of the greatest, which metrics are made of."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit compared for == of two tensors, and chosen for argmax, outside of quiet steps."""
    hub, probe = seam.hub, seam.probe
    tensor_type = torch.Tensor

    def compare(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def compared(left: Any, right: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(left, right, *args, **kwargs)
            if not probe.quiet and isinstance(right, tensor_type):
                frame = _caller(sys._getframe(1))
                if probe.is_user_file(frame.f_code.co_filename):
                    hub.emit("compared", left, right, result, frame)
            return result

        return compared

    def choose(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def chosen(source: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(source, *args, **kwargs)
            if not probe.quiet and isinstance(source, tensor_type):
                frame = _caller(sys._getframe(1))
                if probe.is_user_file(frame.f_code.co_filename):
                    axis = args[0] if args else kwargs.get("dim", kwargs.get("axis"))
                    hub.emit("chosen", source, axis, result, frame)
            return result

        return chosen

    seam.patches.replace(torch, "eq", compare)
    seam.patches.replace(tensor_type, "eq", compare)
    seam.patches.replace(tensor_type, "__eq__", compare)
    seam.patches.replace(torch, "argmax", choose)
    seam.patches.replace(tensor_type, "argmax", choose)


def _caller(frame: Any) -> Any:
    """The frame that called, outside of other wrappers of this package."""
    while str(frame.f_globals.get("__name__", "")).startswith("evidence_collectors"):
        frame = frame.f_back
    return frame
