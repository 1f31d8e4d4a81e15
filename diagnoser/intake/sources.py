"""The user's own Python files as text."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

MAX_FILES = 400
MAX_BYTES = 2_000_000
SKIPPED = frozenset({".git", "__pycache__", ".venv", "venv", "node_modules", "site-packages"})


def read_sources(folder: Path, script: Path | None = None) -> dict[str, str]:
    """Python files below a folder by absolute path, decoded as Python itself would."""
    found: dict[str, str] = {}
    paths = [script] if script is not None else []
    for path in sorted(folder.rglob("*.py")):
        if len(paths) > MAX_FILES:
            break
        if not SKIPPED & set(path.relative_to(folder).parts):
            paths.append(path)
    for path in paths:
        text = read_source(path)
        if text is not None:
            found[str(path.resolve())] = text
    return found


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
