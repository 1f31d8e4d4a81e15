"""The user's own Python files as text."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

MAX_FILES = 400
MAX_BYTES = 2_000_000
SKIPPED = frozenset({".git", "__pycache__", ".venv", "venv", "node_modules", "site-packages"})


def read_sources(script: Path) -> dict[str, str]:
    """A script and the modules beside it that it imports, by absolute path.

    Only what the imports name is read: a script may lie in a folder that holds anything.
    """
    found: dict[str, str] = {}
    waiting = [script.resolve()]
    root = script.resolve().parent
    while waiting and len(found) < MAX_FILES:
        path = waiting.pop()
        text = None if str(path) in found else read_source(path)
        if text is not None:
            found[str(path)] = text
            waiting += _imported(text, path, root)
    return found


def _imported(text: str, path: Path, root: Path) -> list[Path]:
    """Files below the root that the imports in a text may mean."""
    found: list[Path] = []
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found += _files_of(alias.name, root)
        elif isinstance(node, ast.ImportFrom):
            base = root if not node.level else path.parents[min(node.level, len(path.parents)) - 1]
            module = node.module or ""
            found += _files_of(module, base)
            for alias in node.names:
                found += _files_of(f"{module}.{alias.name}".strip("."), base)
    return found


def _files_of(name: str, base: Path) -> list[Path]:
    """`a.b` as the files `a/__init__.py`, `a/b.py` and `a/b/__init__.py` that exist."""
    found = []
    place = base
    for part in [part for part in name.split(".") if part]:
        place = place / part
        found += [place.with_suffix(".py"), place / "__init__.py"]
    return [path for path in found if path.is_file()]


def sources_named(records: Iterable[Mapping[str, Any]], root: Path) -> dict[str, str]:
    """The Python files below a folder that records of a run name, by absolute path."""
    found: dict[str, str] = {}
    names = {str((record.get("at") or {}).get("file", "")) for record in records}
    for name in sorted(names):
        path = Path(name)
        if path.suffix == ".py" and root in path.parents and not SKIPPED & set(path.parts):
            text = read_source(path)
            if text is not None:
                found[name] = text
    return found


def read_source(path: Path) -> str | None:
    """One file's text with its line ends kept, or None if it cannot be read."""
    try:
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            return None
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (OSError, SyntaxError, UnicodeDecodeError, LookupError):
        return None
