"""Where tensors are made, change their dtype, or leave the autograd graph."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

from evidence_collectors.graph import node_of

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam

CREATORS = ("tensor", "as_tensor", "from_numpy")
CONVERSIONS = ("float", "double", "long", "int", "half", "bfloat16", "to", "type")
CUTS = ("detach", "numpy", "item", "tolist", "argmax")


def install(seam: Seam, torch: Any) -> None:
    """Emit tensor_created for creations and conversions, cut_called for exits from a graph."""
    hub, probe = seam.hub, seam.probe

    def creator(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(*args: Any, **kwargs: Any) -> Any:
                output = original(*args, **kwargs)
                if probe.quiet:
                    return output
                frame = sys._getframe(1)
                if probe.is_user_file(frame.f_code.co_filename):
                    hub.emit("tensor_created", name, args, output, frame)
                return output

            return wrapped

        return make

    def cut(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
                if probe.since_novelty < CLOSE_BACKWARDS and node_of(self) is not None:
                    hub.emit("cut_called", name, self, sys._getframe(1))
                return original(self, *args, **kwargs)

            return wrapped

        return make

    for name in CREATORS:
        seam.patches.replace(torch, name, creator(name))
    for name in CONVERSIONS:
        seam.patches.replace(torch.Tensor, name, creator(name))
    for name in CUTS:
        seam.patches.replace(torch.Tensor, name, cut(name))


CLOSE_BACKWARDS = 4
"""Exits from a graph are looked at for this many backward calls after something new appeared."""
