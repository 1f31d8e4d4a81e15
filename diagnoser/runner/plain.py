"""Decide from its source whether a script behaves the same in a warm start."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

READ_AT_IMPORT = re.compile(r"^(CUDA_|OMP_|MKL_|KMP_|OPENBLAS_|NUMEXPR_|TORCH|PYTORCH|PYTHON)")
"""Environment variables that a library or the interpreter reads once, at its start."""

COMMON_NAMES = frozenset({"random", "numpy", "torch", "sympy", "typing_extensions"})
"""Names that are preloaded in every case, known before the server has said what it holds."""


def reason_for_cold(
    script: Path, env: Mapping[str, str], preloaded: Collection[str] = COMMON_NAMES
) -> str | None:
    """Why the script needs a fresh interpreter, or None if it may start warm.

    `env` holds the variables that the request adds, `preloaded` the server's top-level modules.
    """
    for name in env:
        if READ_AT_IMPORT.match(name):
            return f"{name} is set for this run"
    if script.suffix != ".py":
        return f"{script.name} is not a Python source file"
    shadow = _shadowing(script, preloaded)
    if shadow is not None:
        return f"{shadow} beside the script bears a library's name"
    try:
        tree = ast.parse(script.read_bytes(), str(script))
    except (SyntaxError, ValueError):
        return None  # the interpreter's own message is the same either way
    for node in ast.walk(tree):
        found = next(_reasons(node), None)
        if found is not None:
            return f"{found} (line {getattr(node, 'lineno', 0)})"
    return None


def _shadowing(script: Path, preloaded: Collection[str]) -> str | None:
    names = set(preloaded) | COMMON_NAMES
    for entry in sorted(script.parent.iterdir()):
        if entry == script:
            continue
        module = entry.suffix == ".py" and entry.stem in names
        package = entry.name in names and (entry / "__init__.py").is_file()
        if module or package:
            return entry.name
    return None


def _reasons(node: ast.AST) -> Iterator[str]:
    for name in _variables_set(node):
        if READ_AT_IMPORT.match(name):
            yield f"sets {name}, which is read at import"
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) == ("sys", "flags")
    ):
        yield "reads sys.flags"


def _variables_set(node: ast.AST) -> Iterator[str]:
    """Names of the environment variables that one statement or call sets."""
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)):
        targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
        for target in targets:
            if isinstance(target, ast.Subscript) and _is_environ(target.value):
                yield from _text(target.slice)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, owner = node.func.attr, node.func.value
        if name in {"setdefault", "pop"} and _is_environ(owner) and node.args:
            yield from _text(node.args[0])
        elif name == "update" and _is_environ(owner):
            yield from (keyword.arg for keyword in node.keywords if keyword.arg)
            for argument in node.args:
                for key in argument.keys if isinstance(argument, ast.Dict) else ():
                    yield from _text(key)
        elif name in {"putenv", "unsetenv"} and node.args:
            yield from _text(node.args[0])


def _is_environ(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "environ"
    return isinstance(node, ast.Name) and node.id == "environ"


def _text(node: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
