"""Finds where a name or attribute got its value, for a table that was measured."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from diagnoser.rules.source_search import tree_of
from diagnoser.schema import Location


def assigned_at(sources: Mapping[str, str], name: str, seen_at: Location | None) -> Location | None:
    """The last assignment of `name` or `self.name` above the line that saw it.

    A plain name is looked for in the function around that line, then at the top of the file; an
    attribute in the whole file. None where a loop or a parameter gives the value.
    """
    if seen_at is None or not name:
        return None
    tree = tree_of(sources.get(seen_at.file, ""))
    scope = _function_around(tree, seen_at.line)
    spaces: list[ast.AST] = [tree] if "." in name or scope is None else [scope, tree]
    for space in spaces:
        inner = _nodes(space, deep="." in name)
        lines = sorted(
            node.lineno
            for node in inner
            if isinstance(node, (ast.Assign, ast.AnnAssign))
            and any(_is_named(target, name) for target in _targets(node))
        )
        above = [line for line in lines if line <= seen_at.line]
        if above or ("." in name and lines):
            return Location(file=seen_at.file, line=above[-1] if above else lines[0])
        if space is not tree and _is_bound(space, name):
            return None
    return None


def assigned_argument(
    sources: Mapping[str, str], place: Location | None, call: str, position: int
) -> Location | None:
    """Where the name in an argument of the call at a line got its value.

    `call` is the name of the function that is called ("" for any call with so many arguments).
    """
    if place is None:
        return None
    for node in ast.walk(tree_of(sources.get(place.file, ""))):
        if not isinstance(node, ast.Call) or len(node.args) <= position:
            continue
        if not node.lineno <= place.line <= (node.end_lineno or node.lineno):
            continue
        if call and call not in ast.dump(node.func):
            continue
        found = assigned_at(sources, _root_name(node.args[position]), place)
        if found is not None:
            return found
    return None


def _root_name(node: ast.expr) -> str:
    """`x` for `x[rows].float()`, `self.x` for `self.x[rows]`, "" for `f(x)`."""
    while isinstance(node, (ast.Subscript, ast.Call, ast.Attribute)):
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                return f"self.{node.attr}"
            node = node.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return ""
    return node.id if isinstance(node, ast.Name) else ""


def _function_around(tree: ast.AST, line: int) -> ast.FunctionDef | None:
    best: ast.FunctionDef | None = None
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.lineno <= line <= (node.end_lineno or 0) and (
            best is None or node.lineno > best.lineno
        ):
            best = node
    return best


def _nodes(space: ast.AST, *, deep: bool) -> list[ast.AST]:
    """All nodes below; without those of functions inside unless `deep`."""
    if deep:
        return list(ast.walk(space))
    found: list[ast.AST] = []
    stack = list(ast.iter_child_nodes(space))
    while stack:
        node = stack.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            stack.extend(ast.iter_child_nodes(node))
    return found


def _is_bound(space: ast.AST, name: str) -> bool:
    """Whether a function binds a name by a parameter or a loop."""
    names = {node.arg for node in ast.walk(space) if isinstance(node, ast.arg)}
    names |= {
        node.id
        for node in ast.walk(space)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return name in names


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    listed = node.targets if isinstance(node, ast.Assign) else [node.target]
    flat: list[ast.expr] = []
    for target in listed:
        flat.extend(target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])
    return flat


def _is_named(target: ast.expr, name: str) -> bool:
    if isinstance(target, ast.Name):
        return target.id == name
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and f"{target.value.id}.{target.attr}" == name
    )
