"""Arithmetic in a user's function that can be evaluated once more without any effect.

Found are operators and a few NumPy and torch functions whose operands are names, attributes of
`self`, constants and subscripts of these.
"""

from __future__ import annotations

import ast
import operator
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any, Callable, Iterator, Optional

MAX_EXPRESSIONS = 40
OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
}
FUNCTIONS = frozenset({"subtract", "add", "multiply", "square", "diff", "dot", "power", "negative"})
"""Functions of NumPy or torch, and methods, that keep an integer dtype."""
MODULAR = (ast.BitAnd, ast.BitXor, ast.BitOr, ast.RShift, ast.LShift, ast.Mod)
"""Arithmetic below one of these is meant to wrap, as in hashes and counters."""


class Unknown(Exception):
    """An expression cannot be evaluated without a possible effect, or a name is missing."""


@dataclass(frozen=True)
class Expression:
    """One operation: its operands, and where its first operand stands in the source."""

    name: str
    text: str
    line: int
    operands: tuple[ast.expr, ...]
    apply: Callable[..., Any]
    names: frozenset[str]
    rebound: tuple[int, ...]
    """Lines, not above this one, that give one of its names another value."""
    start: tuple[int, int]
    end: tuple[int, int]


def expressions_in(tree: ast.AST, code: CodeType, text: str) -> list[Expression]:
    """The expressions of the function (or module) that a code object was compiled from."""
    body = _body_of(tree, code)
    if body is None:
        return []
    assigned = _assignments(body)
    found = []
    for node, parent in _own_nodes(body):
        made = _expression(node, text)
        if made is None or (isinstance(parent, ast.BinOp) and isinstance(parent.op, MODULAR)):
            continue
        lines = [line for name in made.names for line in assigned.get(name, ())]
        found.append(replace(made, rebound=tuple(line for line in lines if line >= made.line)))
    return found[:MAX_EXPRESSIONS]


def _body_of(tree: ast.AST, code: CodeType) -> Optional[ast.AST]:
    if code.co_name == "<module>":
        return tree
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


def _own_nodes(body: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Nodes with their parents, without those of functions and comprehensions inside."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    inner += (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)  # type: ignore[assignment]
    stack = [(child, body) for child in ast.iter_child_nodes(body)]
    while stack:
        node, parent = stack.pop()
        yield node, parent
        if not isinstance(node, inner):
            stack.extend((child, node) for child in ast.iter_child_nodes(node))


def _assignments(body: ast.AST) -> dict[str, list[int]]:
    """Lines at which each name gets a value."""
    lines: dict[str, list[int]] = {}
    for node, _ in _own_nodes(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            lines.setdefault(node.id, []).append(node.lineno)
    return lines


def _expression(node: Any, text: str) -> Optional[Expression]:
    operands: tuple[ast.expr, ...]
    apply: Callable[..., Any]
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        operands = (node.left, node.right)
        name, apply = type(node.op).__name__, OPERATORS[type(node.op)]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        operands, name, apply = (node.operand,), "USub", operator.neg
    elif _is_call(node):
        operands, name, apply = _call(node)
    else:
        return None
    first = operands[0]
    if not all(_is_pure(part) for part in operands) or isinstance(first, ast.Constant):
        return None
    return Expression(
        name=name,
        text=(ast.get_source_segment(text, node) or "")[:120],
        line=node.lineno,
        operands=operands,
        apply=apply,
        names=frozenset(
            inner.id for part in operands for inner in ast.walk(part) if isinstance(inner, ast.Name)
        ),
        rebound=(),
        start=(first.lineno, first.col_offset),
        end=(first.end_lineno or first.lineno, first.end_col_offset or 0),
    )


def _is_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in FUNCTIONS
        and all(isinstance(keyword.value, ast.Constant) for keyword in node.keywords)
        and bool(node.args or node.func.attr in ("diff", "square", "negative"))
    )


def _call(node: Any) -> tuple[tuple[ast.expr, ...], str, Callable[..., Any]]:
    name = node.func.attr
    options = {str(keyword.arg): keyword.value.value for keyword in node.keywords}
    if isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "numpy", "torch"):
        module = "torch" if node.func.value.id == "torch" else "numpy"
        return tuple(node.args), name, _of_module(module, name, options)
    return (node.func.value, *node.args), name, _method(name, options)


def _of_module(module: str, name: str, options: dict[str, Any]) -> Callable[..., Any]:
    def apply(*values: Any) -> Any:
        import sys

        return getattr(sys.modules[module], name)(*values, **options)

    return apply


def _method(name: str, options: dict[str, Any]) -> Callable[..., Any]:
    def apply(owner: Any, *values: Any) -> Any:
        if str(type(owner).__module__).partition(".")[0] not in ("numpy", "torch"):
            raise Unknown
        return getattr(owner, name)(*values, **options)

    return apply


def _is_pure(node: ast.expr) -> bool:
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == "self"
    if isinstance(node, ast.Subscript):
        return _is_pure(node.value) and _is_index(node.slice)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_pure(node.operand)
    return False


def _is_index(node: Any) -> bool:
    if isinstance(node, ast.Slice):
        return all(part is None or _is_pure(part) for part in (node.lower, node.upper, node.step))
    if isinstance(node, ast.Tuple):
        return all(_is_index(part) for part in node.elts)
    if type(node).__name__ == "Index":
        return _is_index(node.value)
    return isinstance(node, ast.expr) and _is_pure(node)


def value_of(node: Any, names: dict[str, Any], spare: dict[str, Any]) -> Any:
    """The value of a pure expression; calls nothing of the user's."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        if node.id in names:
            return names[node.id]
        if node.id in spare:
            return spare[node.id]
        raise Unknown
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, names, spare)
        if node.attr not in getattr(owner, "__dict__", {}):
            raise Unknown
        return vars(owner)[node.attr]
    if isinstance(node, ast.UnaryOp):
        return -value_of(node.operand, names, spare)
    if isinstance(node, ast.Subscript):
        owner = value_of(node.value, names, spare)
        package = str(type(owner).__module__).partition(".")[0]
        if type(owner) not in (list, tuple, dict) and package not in ("numpy", "torch"):
            raise Unknown
        if type(owner).__name__ == "NpzFile":
            raise Unknown
        return owner[_index(node.slice, names, spare)]
    raise Unknown


def _index(node: Any, names: dict[str, Any], spare: dict[str, Any]) -> Any:
    if type(node).__name__ == "Index":
        node = node.value
    if isinstance(node, ast.Slice):
        parts = (node.lower, node.upper, node.step)
        return slice(*(None if part is None else value_of(part, names, spare) for part in parts))
    if isinstance(node, ast.Tuple):
        return tuple(_index(part, names, spare) for part in node.elts)
    return value_of(node, names, spare)
