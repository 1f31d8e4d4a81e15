"""Reversible patches: every attribute that is replaced can be put back."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Callable


class Patches:
    """Replaces attributes of modules and classes and remembers the originals."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []
        self._in_modules: list[tuple[ModuleType, str, Any, Any]] = []

    def replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Set `owner.name` to `make(original)`; the own attribute, if any, is what is restored."""
        original = getattr(owner, name)
        was_own = name in vars(owner)
        raw = vars(owner).get(name)
        replacement = make(original)
        setattr(owner, name, replacement)
        if was_own and isinstance(owner, ModuleType):
            self._in_modules.append((owner, name, raw, replacement))

        def undo() -> None:
            if was_own:
                setattr(owner, name, raw)
            else:
                delattr(owner, name)

        self._undo.append(undo)

    def on_undo(self, action: Callable[[], Any]) -> None:
        """Run `action` when everything is undone (for handles of registered hooks)."""
        self._undo.append(lambda: (action(), None)[1])

    def mute(self, muted: bool) -> None:
        """Take the replacements out of modules for a while, or put them in again.

        An attribute that somebody else has set meanwhile is left alone; so are classes, whose
        method caches are dear.
        """
        for owner, name, raw, replacement in self._in_modules:
            here, there = (replacement, raw) if muted else (raw, replacement)
            if vars(owner).get(name) is here:
                setattr(owner, name, there)

    def undo_all(self) -> None:
        """Put every original back, last replaced first."""
        self.mute(False)
        self._in_modules.clear()
        while self._undo:
            self._undo.pop()()
