"""Modules: construction, modes, loading, and calls that no other module's call encloses."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit module_created, mode_set, state_loaded, forward_enter and forward_exit."""
    hub, probe = seam.hub, seam.probe
    inside = False  # whether a module's call encloses the current one
    known: set[tuple[int, Any, int]] = set()
    grad_enabled = torch.is_grad_enabled

    def is_known(module: Any, frame: FrameType) -> bool:
        """Whether a quiet step has called this module from this line before; a new call is news."""
        key = (id(module), frame.f_code, frame.f_lineno)
        if key in known:
            return True
        known.add(key)
        return False

    def make_call(original: Callable[..., Any]) -> Callable[..., Any]:
        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal inside
            if inside:
                return original(self, *args, **kwargs)
            frame = sys._getframe(1)
            inside = True
            try:
                if probe.quiet and grad_enabled() and is_known(self, frame):
                    return original(self, *args, **kwargs)
                hub.emit("forward_enter", self, args, frame)
                output = original(self, *args, **kwargs)
                hub.emit("forward_exit", self, args, output, frame)
                return output
            finally:
                inside = False

        return __call__

    def make_init(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            hub.emit("module_created", self, sys._getframe(1))

        return __init__

    def make_train(original: Callable[..., Any]) -> Callable[..., Any]:
        def train(self: Any, mode: bool = True) -> Any:
            caller = sys._getframe(1)
            if caller.f_code is not train.__code__ and caller.f_code.co_name != "train":
                hub.emit("mode_set", self, bool(mode), caller)
            return original(self, mode)

        return train

    def make_load(original: Callable[..., Any]) -> Callable[..., Any]:
        def load_state_dict(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            hub.emit("state_loaded", self)
            return result

        return load_state_dict

    module = torch.nn.Module
    seam.patches.replace(module, "__call__", make_call)
    seam.patches.replace(module, "__init__", make_init)
    seam.patches.replace(module, "train", make_train)
    seam.patches.replace(module, "load_state_dict", make_load)
