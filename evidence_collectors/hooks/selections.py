"""Rows and entries taken from tensors by an index, and reshapes, in the user's own files.

`tensor[index]` is seen by the operator mode: a `__getitem__` written in Python would make tensors
sequences to CPython, which `torch.tensor([a, b])` then takes apart.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam

RESHAPES = ("view", "reshape")


def install(seam: Seam, torch: Any) -> None:
    """Emit rows_taken, values_gathered and reshaped."""
    hub, probe = seam.hub, seam.probe
    tensor = torch.Tensor

    def make_index_select(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def index_select(*args: Any, **kwargs: Any) -> Any:
            output = original(*args, **kwargs)
            if not probe.quiet and len(args) == 3 and args[1] == 0:
                hub.emit("rows_taken", args[0], args[2], output, sys._getframe(1))
            return output

        return index_select

    def make_gather(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def gather(*args: Any, **kwargs: Any) -> Any:
            output = original(*args, **kwargs)
            if not probe.quiet and len(args) == 3 and type(args[1]) is int:
                hub.emit("values_gathered", args[0], args[1], args[2], output, sys._getframe(1))
            return output

        return gather

    def reshape(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            output = original(*args, **kwargs)
            if probe.quiet or not args or not isinstance(args[0], tensor):
                return output
            if args[0].dim() > 1 and output.dim() > 1:
                frame = sys._getframe(1)
                if probe.is_user_file(frame.f_code.co_filename):
                    hub.emit("reshaped", args[0], output, frame)
            return output

        return wrapped

    seam.patches.replace(tensor, "index_select", make_index_select)
    seam.patches.replace(torch, "index_select", make_index_select)
    seam.patches.replace(tensor, "gather", make_gather)
    seam.patches.replace(torch, "gather", make_gather)
    for name in RESHAPES:
        seam.patches.replace(tensor, name, reshape)
    seam.patches.replace(torch, "reshape", reshape)
