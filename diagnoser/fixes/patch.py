"""Edits become patched texts and a unified diff; nothing of the user's is written."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Edit

NO_LAST_END = "\\ No newline at end of file"


def apply_edits(sources: Mapping[str, str], edits: Sequence[Edit]) -> dict[str, str] | None:
    """Patched texts of the files that edits touch; None if a `before` does not stand there.

    Line ends are kept: the new lines get the end of the line they replace.
    """
    patched: dict[str, str] = {}
    for path in {edit.file for edit in edits}:
        text = sources.get(path)
        if text is None:
            return None
        lines = lines_of(text, keepends=True)
        for edit in sorted((e for e in edits if e.file == path), key=lambda e: -e.line):
            old = lines_of(edit.before)
            here = [line.rstrip("\r\n") for line in lines[edit.line - 1 : edit.line - 1 + len(old)]]
            if here != old:
                return None
            end = "\r\n" if lines[edit.line - 1].endswith("\r\n") else "\n"
            new = [f"{line}{end}" for line in lines_of(edit.after)]
            if edit.line - 1 + len(old) >= len(lines) and not lines[-1].endswith(("\n", "\r")):
                new[-1:] = [line.rstrip("\r\n") for line in new[-1:]]
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
        tab = "\t" if " " in name else ""  # else `patch` takes the name up to the space
        parts.extend(
            difflib.unified_diff(
                lines_of(sources[path], keepends=True),
                lines_of(patched[path], keepends=True),
                f"a/{name}{tab}",
                f"b/{name}{tab}",
            )
        )
    return "".join(part if part.endswith("\n") else f"{part}\n{NO_LAST_END}\n" for part in parts)


def relative(path: str, folder: Path) -> str:
    """A path relative to a folder where it lies in it, else as it is."""
    try:
        return Path(path).relative_to(folder).as_posix()
    except ValueError:
        return path
