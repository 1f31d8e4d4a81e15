"""Take a call such as `softmax(x, dim=1)` out of a line, keeping everything else as it is."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from diagnoser.rules.base import Source
from diagnoser.rules.source_lines import lines_of
from diagnoser.rules.wrappers import wrapper_names
from diagnoser.schema import Edit, Location

_ATOMS = (ast.Name, ast.Call, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List)


def unwrap_call(source: Source, place: Location, names: Sequence[str], cause: str) -> Edit | None:
    """Replace the named call at a line by its input; a layer's constructor by nothing or Identity.

    A user's function that is nothing but such a call counts too, with its first argument as input.
    `f(x, …)` and `x.f(…)` become `x`. A constructor that ends a Sequential's arguments is left
    out, elsewhere it becomes `Identity()` of the same namespace. None if there is not exactly one
    such call, or the result would not parse.
    """
    text = source.text(place.file)
    if text is None:
        return None
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    wrappers = wrapper_names(source, place)
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and _name(node) in (*names, *wrappers)
        and node.lineno <= place.line <= (node.end_lineno or node.lineno)
    ]
    if len(found) != 1:
        return None
    lines = lines_of(text, keepends=True)
    changed = _replace(text, lines, tree, found[0], _name(found[0]) in wrappers)
    if changed is None:
        return None
    first, last, before, after = changed
    patched = "".join(lines[: first - 1]) + after + "".join(lines[last:])
    try:
        ast.parse(patched)
    except SyntaxError:
        return None
    return Edit(
        file=place.file,
        line=first,
        cause=cause,
        before=before.rstrip("\r\n"),
        after=after.rstrip("\r\n"),
    )


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _replace(
    text: str, lines: Sequence[str], tree: ast.Module, call: ast.Call, wrapper: bool
) -> tuple[int, int, str, str] | None:
    if _name(call)[:1].isupper():
        return _without_layer(text, lines, tree, call)
    value: ast.expr | None
    if isinstance(call.func, ast.Attribute) and not wrapper and not _is_module(call.func.value):
        value = call.func.value
    else:
        value = call.args[0] if call.args else None
    if value is None:
        return None
    inner = ast.get_source_segment(text, value)
    if inner is None:
        return None
    if not isinstance(value, _ATOMS):
        inner = f"({inner})"
    return _splice(lines, _start(call), _end(call), inner)


def _is_module(node: ast.expr) -> bool:
    """Whether an expression is a namespace such as `F`, `torch`, `nn.functional`."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in (
        "torch",
        "nn",
        "F",
        "Fn",
        "functional",
        "tnf",
        "NF",
    )


def _without_layer(
    text: str, lines: Sequence[str], tree: ast.Module, call: ast.Call
) -> tuple[int, int, str, str] | None:
    for parent in ast.walk(tree):
        if (
            isinstance(parent, ast.Call)
            and _name(parent) == "Sequential"
            and len(parent.args) > 1
            and parent.args[-1] is call
        ):
            return _splice(lines, _end(parent.args[-2]), _end(call), "")
    if not isinstance(call.func, ast.Attribute):
        return None
    namespace = ast.get_source_segment(text, call.func.value)
    return _splice(lines, _start(call), _end(call), f"{namespace}.Identity()")


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


def _splice(
    lines: Sequence[str], start: tuple[int, int], end: tuple[int, int], new: str
) -> tuple[int, int, str, str]:
    """Replace a span (1-based lines, byte columns); returns first and last line, before, after."""
    before = "".join(lines[start[0] - 1 : end[0]])
    head = lines[start[0] - 1].encode()[: start[1]].decode()
    tail = lines[end[0] - 1].encode()[end[1] :].decode()
    return start[0], end[0], before, head + new + tail
