"""Hide modules that the warm server imported until the script itself imports them.

A script that never imports torch must not find it in `sys.modules`, and one that does must see its
import happen, so that whoever waits for it is called.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Optional, Sequence


class _Restored(importlib.abc.Loader):
    """Hands out a module that was imported before."""

    def __init__(self, module: ModuleType, hidden: dict[str, ModuleType]) -> None:
        self._module = module
        self._spec = module.__spec__
        self._hidden = hidden

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec
        if self._spec is not None and self._spec.loader is not None:
            module.__loader__ = self._spec.loader
        for name in [name for name in self._hidden if _belongs(name, module.__name__)]:
            sys.modules.setdefault(name, self._hidden.pop(name))

    def __getattr__(self, name: str) -> Any:
        loader = self._spec.loader if self._spec is not None else None
        return getattr(loader, name)


class HiddenFinder(importlib.abc.MetaPathFinder):
    """Finds hidden modules; torch brings back everything that its import had loaded."""

    def __init__(self, hidden: dict[str, ModuleType]) -> None:
        self.hidden = hidden

    def find_spec(
        self,
        fullname: str,
        path: Optional[Sequence[str]] = None,
        target: Optional[ModuleType] = None,
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """A spec that gives the hidden module back."""
        module = self.hidden.pop(fullname, None)
        if module is None:
            return None
        spec = importlib.machinery.ModuleSpec(
            fullname,
            _Restored(module, self.hidden),
            origin=getattr(module, "__file__", None),
            is_package=hasattr(module, "__path__"),
        )
        return spec


def _belongs(name: str, imported: str) -> bool:
    """Whether a module came with the import of another."""
    return imported == "torch" or name == imported or name.startswith(f"{imported}.")


def hide(tops: Sequence[str]) -> None:
    """Take the modules of these top-level packages out of `sys.modules` until they are imported."""
    wanted = set(tops)
    hidden = {
        name: module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in wanted
    }
    for name in hidden:
        del sys.modules[name]
    if hidden:
        sys.meta_path.insert(0, HiddenFinder(hidden))
