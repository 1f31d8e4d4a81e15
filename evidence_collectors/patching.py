"""Reversible patches: every attribute that is replaced can be put back."""

from __future__ import annotations

from typing import Any, Callable


class Patches:
    """Replaces attributes of modules and classes and remembers the originals."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def replace(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Set `owner.name` to `make(original)`; the own attribute, if any, is what is restored."""
        original = getattr(owner, name)
        was_own = name in vars(owner)
        raw = vars(owner).get(name)
        setattr(owner, name, make(original))

        def undo() -> None:
            if was_own:
                setattr(owner, name, raw)
            else:
                delattr(owner, name)

        self._undo.append(undo)

    def on_undo(self, action: Callable[[], Any]) -> None:
        """Run `action` when everything is undone (for handles of registered hooks)."""
        self._undo.append(lambda: (action(), None)[1])

    def undo_all(self) -> None:
        """Put every original back, last replaced first."""
        while self._undo:
            self._undo.pop()()
