"""Modules: construction, modes, loading, and calls that no other module's call encloses."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Optional

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


class _Calls:
    """Replaces `__call__` of all modules, or only of some classes while nobody looks.

    In quiet steps only calls of models from outside matter; the many layers below them are then
    called as if nothing were installed.
    """

    def __init__(self, module: type, make: Callable[[Any], Any]) -> None:
        self._module = module
        self._raw = vars(module)["__call__"]
        self._replacement = make(self._raw)
        self._make = make
        self._own: list[tuple[type, Any]] = []
        self.only(None)

    def only(self, classes: Optional[set[type]]) -> None:
        """Replace the calls of these classes, or of all modules if None is given."""
        while self._own:
            owner, replacement = self._own.pop()
            if vars(owner).get("__call__") is replacement:
                del owner.__call__
        here, there = self._replacement, self._raw
        if classes is None:
            here, there = there, here
        if vars(self._module)["__call__"] is here:
            self._module.__call__ = there  # type: ignore[method-assign]
        for owner in classes or ():
            if "__call__" not in vars(owner):
                replacement = self._make(owner.__call__)
                owner.__call__ = replacement  # type: ignore[method-assign]
                self._own.append((owner, replacement))

    def remove(self) -> None:
        """Put everything back."""
        self.only(set())


def _classes_of(roots: list[Any], muted: bool) -> Optional[set[type]]:
    """The classes of the models that hold parameters; None (all modules) unless muted."""
    if not muted:
        return None
    return {type(root) for root in roots if next(root.parameters(), None) is not None}


def install(seam: Seam, torch: Any) -> None:
    """Emit module_created, mode_set, state_loaded, forward_enter and forward_exit."""
    hub, probe = seam.hub, seam.probe
    inside = False  # whether a module's call encloses the current one
    known: set[tuple[int, Any, int]] = set()  # calls that a quiet step has seen
    frame_at, grad_enabled = sys._getframe, torch.is_grad_enabled

    def make_call(original: Callable[..., Any]) -> Callable[..., Any]:
        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            nonlocal inside
            if inside:
                return original(self, *args, **kwargs)
            frame = frame_at(1)
            inside = True
            try:
                if probe.quiet:
                    key = (id(self), frame.f_code, frame.f_lasti)
                    if not grad_enabled():
                        probe.look_up()
                    elif key in known:
                        return original(self, *args, **kwargs)
                    known.add(key)
                probe.keywords = kwargs
                hub.emit("forward_enter", self, args, frame)
                probe.keywords = {}
                output = original(self, *args, **kwargs)
                hub.emit("forward_exit", self, args, output, frame)
                return output
            finally:
                inside = False

        return __call__

    classes: set[type] = set()

    def make_init(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            if probe.quiet and type(self) not in classes:
                probe.look_up()
            classes.add(type(self))
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
            hub.emit("state_loading", self, args[0] if args else kwargs.get("state_dict"))
            result = original(self, *args, **kwargs)
            hub.emit("state_loaded", self)
            return result

        return load_state_dict

    module = torch.nn.Module
    calls = _Calls(module, make_call)
    seam.patches.on_undo(calls.remove)
    probe.switches.append(lambda muted: calls.only(_classes_of(probe.models.roots(), muted)))
    seam.patches.replace(module, "__init__", make_init)
    seam.patches.replace(module, "train", make_train)
    seam.patches.replace(module, "load_state_dict", make_load)
