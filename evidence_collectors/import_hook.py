"""Call back when torch or numpy has been imported by the user's script."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from types import ModuleType
from typing import Any, Callable, Optional, Sequence


class _CallbackLoader(importlib.abc.Loader):
    """Delegates to the real loader, then calls back once the module is complete."""

    def __init__(self, loader: Any, ready: Callable[[ModuleType], None]) -> None:
        self._loader = loader
        self._ready = ready

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> Any:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None:
            spec.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        self._ready(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class PostImportFinder(importlib.abc.MetaPathFinder):
    """Finds watched top-level modules by the ordinary finders and wraps their loader."""

    def __init__(self, watched: dict[str, Callable[[ModuleType], None]]) -> None:
        self._watched = dict(watched)

    def find_spec(
        self,
        fullname: str,
        path: Optional[Sequence[str]] = None,
        target: Optional[ModuleType] = None,
    ) -> Optional[importlib.machinery.ModuleSpec]:
        ready = self._watched.pop(fullname, None)
        if ready is None:
            return None
        if not self._watched and self in sys.meta_path:
            sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        spec.loader = _CallbackLoader(spec.loader, ready)
        return spec


def when_imported(watched: dict[str, Callable[[ModuleType], None]]) -> None:
    """Call each function with its module: now if it is loaded, else right after its import."""
    later = {}
    for name, ready in watched.items():
        module = sys.modules.get(name)
        if module is not None:
            ready(module)
        else:
            later[name] = ready
    if later:
        sys.meta_path.insert(0, PostImportFinder(later))
