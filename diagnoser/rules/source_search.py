"""Finds lines in the user's source for a fault that was measured; never tells that there is one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Location


def tree_of(text: str) -> ast.Module:
    """The syntax tree; an empty one where the text cannot be parsed."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module(body=[], type_ignores=[])


def lines_matching(sources: Mapping[str, str], pattern: str, file: str = "") -> list[Location]:
    """Every line that a regular expression matches, in one file or in all."""
    found = []
    for path, text in sources.items():
        if not file or path == file:
            for number, line in enumerate(lines_of(text), 1):
                if re.search(pattern, line.split("#")[0]):
                    found.append(Location(file=path, line=number))
    return found


def nearest(places: list[Location], near: Location | None) -> Location | None:
    """The place closest to a line of the same file; else the first."""
    if near is not None:
        same = [place for place in places if place.file == near.file]
        if same:
            return min(same, key=lambda place: abs(place.line - near.line))
    return places[0] if places else None


def functions(sources: Mapping[str, str]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions and methods with their file."""
    for path, text in sources.items():
        for node in ast.walk(tree_of(text)):
            if isinstance(node, ast.FunctionDef):
                yield path, node


def returns_nothing(node: ast.FunctionDef) -> bool:
    """Whether a function has no return with a value and yields nothing."""
    for inner in _own_nodes(node):
        if isinstance(inner, ast.Return) and not _is_none(inner.value):
            return False
        if isinstance(inner, (ast.Yield, ast.YieldFrom, ast.Raise)):
            return False
    return True


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _own_nodes(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """Nodes of a function without those of functions inside it."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        inner = stack.pop()
        yield inner
        if not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(inner))


def loop_around(sources: Mapping[str, str], place: Location) -> ast.For | ast.While | None:
    """The innermost loop that holds a line."""
    best: ast.For | ast.While | None = None
    for node in ast.walk(tree_of(sources.get(place.file, ""))):
        if not isinstance(node, (ast.For, ast.While)) or not _covers(node, place.line):
            continue
        if best is None or node.lineno >= best.lineno:
            best = node
    return best


def _covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def fed_back(loop: ast.AST, file: str) -> list[Location]:
    """Assignments in a loop whose target is also an input, such as `out, h = net(x, h)`."""
    found = []
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign):
            targets = {name.id for target in node.targets for name in _names(target)}
            inputs = {name.id for name in _names(node.value)}
            if targets & inputs and isinstance(node.value, ast.Call):
                found.append(Location(file=file, line=node.lineno))
    return found


def assigned_before(sources: Mapping[str, str], loop: ast.AST, file: str) -> list[Location]:
    """Assignments outside of a loop to names that the loop reads and never assigns."""
    read = {n.id for n in _names(loop) if isinstance(n.ctx, ast.Load)}
    written = {n.id for n in _names(loop) if isinstance(n.ctx, ast.Store)}
    first = getattr(loop, "lineno", 0)
    found = []
    for node in ast.walk(tree_of(sources.get(file, ""))):
        if isinstance(node, ast.Assign) and node.lineno < first:
            names = {name.id for target in node.targets for name in _names(target)}
            if names & (read - written):
                found.append(Location(file=file, line=node.lineno))
    return found


def assignment_above(sources: Mapping[str, str], place: Location | None) -> Location | None:
    """Where the value on which the line's method is called was last assigned, in that function.

    For `total.backward()` the nearest line above that assigns `total`; None if there is none.
    """
    if place is None:
        return None
    tree = tree_of(sources.get(place.file, ""))
    called = [
        node.func.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.lineno == place.line
    ]
    names = {ast.unparse(value) for value in called}
    lines = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        and node.lineno < place.line
        and names & {ast.unparse(target) for target in _targets(node)}
    ]
    return Location(file=place.file, line=max(lines)) if lines else None


def _targets(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> list[ast.expr]:
    return list(node.targets) if isinstance(node, ast.Assign) else [node.target]


def _names(node: ast.AST) -> list[ast.Name]:
    return [inner for inner in ast.walk(node) if isinstance(inner, ast.Name)]


def definition(sources: Mapping[str, str], name: str) -> Location | None:
    """The line that defines a function or class of a name."""
    for path, text in sources.items():
        for node in ast.walk(tree_of(text)):
            if (
                isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
                and node.name == name
            ):
                return Location(file=path, line=node.lineno)
    return None
