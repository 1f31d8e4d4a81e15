"""Edits become patched texts and a unified diff; nothing of the user's is written."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from diagnoser.schema import Edit


def apply_edits(sources: Mapping[str, str], edits: Sequence[Edit]) -> dict[str, str] | None:
    """Patched texts of the files that edits touch; None if a `before` does not stand there.

    Line ends are kept: the new lines get the end of the line they replace.
    """
    patched: dict[str, str] = {}
    for path in {edit.file for edit in edits}:
        text = sources.get(path)
        if text is None:
            return None
        lines = text.splitlines(keepends=True)
        for edit in sorted((e for e in edits if e.file == path), key=lambda e: -e.line):
            old = edit.before.splitlines()
            here = [line.rstrip("\r\n") for line in lines[edit.line - 1 : edit.line - 1 + len(old)]]
            if here != old:
                return None
            end = "\r\n" if lines[edit.line - 1].endswith("\r\n") else "\n"
            new = [f"{line}{end}" for line in edit.after.splitlines()]
            lines[edit.line - 1 : edit.line - 1 + len(old)] = new
        patched[path] = "".join(lines)
    try:
        for path, text in patched.items():
            compile(text, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    return patched


def diff_of(sources: Mapping[str, str], patched: Mapping[str, str], folder: Path) -> str:
    """A unified diff with paths relative to the script's folder, as `git apply` takes it."""
    parts: list[str] = []
    for path in sorted(patched):
        name = relative(path, folder)
        parts.extend(
            difflib.unified_diff(
                sources[path].splitlines(keepends=True),
                patched[path].splitlines(keepends=True),
                f"a/{name}",
                f"b/{name}",
            )
        )
    return "".join(part if part.endswith("\n") else f"{part}\n" for part in parts)


def relative(path: str, folder: Path) -> str:
    """A path relative to a folder where it lies in it, else as it is."""
    try:
        return Path(path).relative_to(folder).as_posix()
    except ValueError:
        return path
