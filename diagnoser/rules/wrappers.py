"""Who is to blame for a call that stands alone in a small function of its own.

`def predict_proba(self, z): return z.softmax(-1)` is right in itself; what is wrong is the line
that calls it on the way to the loss.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from diagnoser.rules.base import Source
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.source_search import tree_of
from diagnoser.schema import Location


def blamed(sources: Mapping[str, str], stack: Sequence[Mapping[str, Any]]) -> Location | None:
    """The innermost line of a stack that is not the whole of a small function.

    `stack` holds the user's own frames, innermost first.
    """
    for frame in stack:
        place = location(frame)
        if place is None or not _is_whole_function(sources.get(place.file, ""), place.line):
            return place
    return location(stack[0]) if stack else None


def maker(examination: Examination, activation: Mapping[str, Any]) -> Location | None:
    """Where the activation that a `loss.inputs` record names is to be taken out."""
    at = location(activation.get("at"))
    callers = activation.get("callers") or ()
    if not callers or at != location(callers[0]):
        return at  # a layer: the line that constructs it
    return blamed(examination.sources, callers)


def wrapper_names(source: Source, place: Location) -> tuple[str, ...]:
    """Names of the user's functions with one return that are called at a line."""
    found = []
    for path in source.paths():
        for node in ast.walk(tree_of(source.text(path) or "")):
            if isinstance(node, ast.FunctionDef) and _returns_only(node):
                found.append(node.name)
    line = source.line(place.file, place.line)
    return tuple(name for name in found if f"{name}(" in line)


def _is_whole_function(text: str, line: int) -> bool:
    for node in ast.walk(tree_of(text)):
        if isinstance(node, ast.FunctionDef) and _returns_only(node):
            statement = node.body[-1]
            if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
                return True
    return False


def _returns_only(node: ast.FunctionDef) -> bool:
    """Whether a function is one return of one call on one of its own arguments."""
    body = node.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return False
    call = body[0].value
    if node.name in ("forward", "__call__") or not isinstance(call, ast.Call):
        return False
    taken = [*call.args[:1], *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    inputs = {argument.arg for argument in node.args.args} - {"self", "cls"}
    return any(isinstance(value, ast.Name) and value.id in inputs for value in taken)
