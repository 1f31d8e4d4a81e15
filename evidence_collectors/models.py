"""Names and places of the user's models: which parameter is called what, and who holds it.

Root modules are those whose call no other module's call encloses. A tensor that a root holds in a
plain list, dict, tuple or attribute, where `parameters()` does not find it, is listed apart.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any, Iterator, Optional

MAX_CONTAINER_ITEMS = 64
MAX_DEPTH = 3


@dataclass(frozen=True)
class Holder:
    """Where a parameter is held: its root's class, its dotted name, whether it is registered."""

    root: str
    name: str
    registered: bool
    module: str


class Models:
    """The root modules met so far and what they hold."""

    def __init__(self) -> None:
        self._roots: list[weakref.ref[Any]] = []
        self._ids: set[int] = set()
        self.sites: weakref.WeakKeyDictionary[Any, dict[str, Any]] = weakref.WeakKeyDictionary()
        self._stacks: dict[tuple[str, int], list[tuple[str, int]]] = {}

    def add_root(self, module: Any) -> bool:
        """Remember a root module; True if it was not known."""
        if id(module) in self._ids and any(ref() is module for ref in self._roots):
            return False
        self._ids.add(id(module))
        self._roots = [ref for ref in self._roots if ref() is not None][-20:]
        self._roots.append(weakref.ref(module))
        return True

    def note_site(self, module: Any, stack: list[dict[str, Any]]) -> None:
        """Remember where a module was constructed; `stack` holds the user's lines, innermost first.

        When the same innermost line runs again from elsewhere (a builder function called a second
        time), `rebuilt_at` names the first outer line that differs.
        """
        site = dict(stack[0])
        key = (site["file"], site["line"])
        lines = [(entry["file"], entry["line"]) for entry in stack]
        known = self._stacks.setdefault(key, lines)
        for entry, old in zip(stack, known):
            if (entry["file"], entry["line"]) != old:
                site["rebuilt_at"] = entry
                break
        self.sites[module] = site

    def roots(self) -> list[Any]:
        """The root modules that still exist."""
        return [module for module in (ref() for ref in self._roots) if module is not None]

    def holders(self) -> dict[int, Holder]:
        """Map id(parameter) to its holder, registered ones first, over all roots."""
        found: dict[int, Holder] = {}
        for root in self.roots():
            label = type(root).__name__
            for name, parameter in root.named_parameters():
                owner, _, _ = name.rpartition(".")
                found.setdefault(
                    id(parameter), Holder(label, name, True, self._class_at(root, owner))
                )
        for root in self.roots():
            for path, tensor, kind in self.unregistered(root):
                found.setdefault(id(tensor), Holder(type(root).__name__, path, False, kind))
        return found

    def site_of(self, root: Any, name: str) -> Optional[dict[str, Any]]:
        """Where the module that holds a dotted parameter name was constructed."""
        owner: Any = root
        for part in name.split(".")[:-1]:
            owner = getattr(owner, part, None)
            if owner is None:
                return None
        return self.sites.get(owner)

    @staticmethod
    def _class_at(root: Any, dotted: str) -> str:
        owner: Any = root
        for part in dotted.split(".") if dotted else ():
            owner = owner._modules.get(part)
            if owner is None:
                return ""
        return type(owner).__name__

    def attribute_site(self, root: Any, path: str) -> Optional[dict[str, Any]]:
        """Where the object at a path such as `layers[0].weight` was built, if it is a module."""
        for found, owner in self._owners(root):
            if path.startswith(found) and owner in self.sites:
                return self.sites[owner]
        return None

    def _owners(self, root: Any) -> Iterator[tuple[str, Any]]:
        for prefix, module in root.named_modules():
            for attribute, value in list(vars(module).items()):
                if attribute in ("_parameters", "_buffers", "_modules"):
                    continue
                path = f"{prefix}.{attribute}" if prefix else attribute
                yield from _modules_inside(path, value, 0)

    def unregistered(self, root: Any) -> Iterator[tuple[str, Any, str]]:
        """Trainable tensors below a root that `parameters()` does not find: path, tensor, class."""
        for prefix, module in root.named_modules():
            for attribute, value in list(vars(module).items()):
                if attribute in ("_parameters", "_buffers", "_modules"):
                    continue
                path = f"{prefix}.{attribute}" if prefix else attribute
                yield from self._inside(path, value, 0, top=True)

    def _inside(
        self, path: str, value: Any, depth: int, *, top: bool
    ) -> Iterator[tuple[str, Any, str]]:
        if depth > MAX_DEPTH or isinstance(value, type):
            return
        if hasattr(value, "named_parameters") and hasattr(value, "_parameters"):
            for name, parameter in value.named_parameters():
                yield f"{path}.{name}", parameter, type(value).__name__
        elif hasattr(value, "requires_grad") and hasattr(value, "is_leaf"):
            if value.requires_grad:
                yield path, value, "Tensor"
        elif isinstance(value, (list, tuple, set)) and len(value) <= MAX_CONTAINER_ITEMS:
            for index, item in enumerate(value):
                yield from self._inside(f"{path}[{index}]", item, depth + 1, top=False)
        elif isinstance(value, dict) and len(value) <= MAX_CONTAINER_ITEMS:
            for key, item in list(value.items()):
                yield from self._inside(f"{path}[{key!r}]", item, depth + 1, top=False)
        elif (
            top
            and type(value).__module__ not in ("builtins", "collections")
            and hasattr(value, "__dict__")
        ):
            for name, item in list(vars(value).items())[:MAX_CONTAINER_ITEMS]:
                yield from self._inside(f"{path}.{name}", item, depth + 1, top=False)


def _modules_inside(path: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > MAX_DEPTH:
        return
    if hasattr(value, "_parameters") and hasattr(value, "named_modules"):
        yield path, value
    elif isinstance(value, (list, tuple, set)) and len(value) <= MAX_CONTAINER_ITEMS:
        for index, item in enumerate(value):
            yield from _modules_inside(f"{path}[{index}]", item, depth + 1)
    elif isinstance(value, dict) and len(value) <= MAX_CONTAINER_ITEMS:
        for key, item in list(value.items()):
            yield from _modules_inside(f"{path}[{key!r}]", item, depth + 1)
    elif type(value).__module__ not in ("builtins", "collections") and hasattr(value, "__dict__"):
        for name, item in list(vars(value).items())[:MAX_CONTAINER_ITEMS]:
            yield from _modules_inside(f"{path}.{name}", item, depth + 1)
