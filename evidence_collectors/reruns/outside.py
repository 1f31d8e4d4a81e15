"""What a model's forward may change outside itself: globals and closures of the user's functions.

A repeated call must not count, append or overwrite a second time what the user's own call did.
"""

from __future__ import annotations

import types
from typing import Any, Iterator

MAX_FUNCTIONS = 200
MAX_ITEMS = 10_000
_LIBRARIES = ("torch", "numpy", "builtins")


class Outside:
    """Contents of the containers and names that a model's functions can reach, and their return."""

    def __init__(self, model: Any) -> None:
        self._names: list[tuple[dict[str, Any], str, Any]] = []
        self._containers: list[tuple[Any, Any]] = []
        self._seen: set[int] = set()
        for function in _functions(model):
            reached = dict(zip(function.__code__.co_freevars, _cells(function)))
            for name in function.__code__.co_names:
                if name in function.__globals__:
                    reached[name] = function.__globals__[name]
                    if isinstance(reached[name], (int, float, str, tuple, type(None))):
                        self._names.append((function.__globals__, name, reached[name]))
            for value in reached.values():
                self._keep(value, 0)

    def _keep(self, value: Any, depth: int) -> None:
        if id(value) in self._seen or depth > 2:
            return
        self._seen.add(id(value))
        if type(value) in (list, dict, set) and len(value) <= MAX_ITEMS:
            self._containers.append((value, value.copy()))
            inner = value.values() if isinstance(value, dict) else value
            for item in list(inner)[:64]:
                if type(item) in (list, dict, set):
                    self._keep(item, depth + 1)
        elif _is_plain_object(value):
            self._containers.append((vars(value), dict(vars(value))))
            for item in list(vars(value).values())[:64]:
                if type(item) in (list, dict, set):
                    self._keep(item, depth + 1)

    def restore(self) -> None:
        """Put everything back that has changed since."""
        for names, name, value in self._names:
            if names.get(name) is not value:
                names[name] = value
        for container, kept in self._containers:
            if isinstance(container, list):
                if len(container) != len(kept) or any(a is not b for a, b in zip(container, kept)):
                    container[:] = kept
            elif _changed(container, kept):
                container.clear()
                container.update(kept)


def _changed(container: Any, kept: Any) -> bool:
    """Whether keys, members or the objects under the keys are others than before."""
    if isinstance(container, set):
        return bool(container != kept)
    return container.keys() != kept.keys() or any(container[k] is not kept[k] for k in kept)


def _is_plain_object(value: Any) -> bool:
    module = type(value).__module__.partition(".")[0]
    return (
        hasattr(value, "__dict__")
        and not isinstance(value, (type, types.ModuleType, types.FunctionType))
        and module not in _LIBRARIES
        and not hasattr(value, "_parameters")
    )


def _functions(model: Any) -> Iterator[types.FunctionType]:
    """The functions of the model's own classes and the plain functions that they name."""
    waiting: list[Any] = []
    classes = {kind for module in model.modules() for kind in type(module).__mro__}
    for kind in classes:
        if kind.__module__.partition(".")[0] not in _LIBRARIES:
            waiting.extend(vars(kind).values())
    seen: set[int] = set()
    while waiting and len(seen) < MAX_FUNCTIONS:
        function = waiting.pop()
        function = getattr(function, "__func__", function)
        if not isinstance(function, types.FunctionType) or id(function) in seen:
            continue
        if function.__module__ is None or function.__module__.partition(".")[0] in _LIBRARIES:
            continue
        seen.add(id(function))
        yield function
        names = function.__code__.co_names
        waiting.extend(function.__globals__.get(name) for name in names)


def _cells(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            yield None
