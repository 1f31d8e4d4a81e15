"""Exact edits of one argument of a call that stands at a known line."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from diagnoser.rules.base import Source
from diagnoser.rules.source_lines import lines_of
from diagnoser.rules.source_search import tree_of
from diagnoser.schema import Edit, Location


def calls_at(source: Source, place: Location, names: Sequence[str]) -> list[ast.Call]:
    """The calls of a function, method or class of one of these names that cover a line."""
    return [
        node
        for node in ast.walk(tree_of(source.text(place.file) or ""))
        if isinstance(node, ast.Call)
        and called_name(node) in names
        and node.lineno <= place.line <= (node.end_lineno or node.lineno)
    ]


def called_name(call: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument, or None."""
    return next((entry.value for entry in call.keywords if entry.arg == name), None)


def replace_node(source: Source, file: str, node: ast.expr, text: str, cause: str) -> Edit | None:
    """Put a text where an expression stands; None if the result would not parse."""
    end_line, end_column = node.end_lineno, node.end_col_offset
    if end_line is None or end_column is None:
        return None
    return _splice(
        source, file, (node.lineno, node.col_offset), (end_line, end_column), text, cause
    )


def add_keyword(source: Source, file: str, call: ast.Call, text: str, cause: str) -> Edit | None:
    """Add `name=value` before the closing parenthesis of a call."""
    if call.end_lineno is None or call.end_col_offset is None:
        return None
    last = [*call.args, *(entry.value for entry in call.keywords)]
    if not last or last[-1].end_lineno is None or last[-1].end_col_offset is None:
        return None
    ends = max((node.end_lineno or 0, node.end_col_offset or 0) for node in last)
    return _splice(source, file, ends, ends, f", {text}", cause)


def _splice(
    source: Source, file: str, start: tuple[int, int], end: tuple[int, int], new: str, cause: str
) -> Edit | None:
    """Replace a span; lines count from 1, columns are bytes of UTF-8."""
    text = source.text(file)
    if text is None:
        return None
    lines = lines_of(text, keepends=True)
    before = "".join(lines[start[0] - 1 : end[0]])
    head = lines[start[0] - 1].encode()[: start[1]].decode()
    tail = lines[end[0] - 1].encode()[end[1] :].decode()
    after = head + new + tail
    patched = "".join(lines[: start[0] - 1]) + after + "".join(lines[end[0] :])
    try:
        ast.parse(patched)
    except SyntaxError:
        return None
    return Edit(
        file=file,
        line=start[0],
        cause=cause,
        before=before.rstrip("\r\n"),
        after=after.rstrip("\r\n"),
    )
