"""A plain copy of the script's folder, for machines without a copy-on-write view."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from diagnoser.errors import RunnerError

LEFT_OUT = frozenset({".git", "__pycache__", ".venv", "node_modules"})

MAX_COPY_BYTES = 2_000_000_000
"""A folder bigger than this is not copied for every run."""


class FolderTooBig(RunnerError):
    """The script's folder cannot be copied within `MAX_COPY_BYTES`."""


def copy_folder(source: Path, target: Path, limit: int = MAX_COPY_BYTES) -> None:
    """Copy a folder without version control, caches and environments.

    Raises:
        FolderTooBig: the files amount to more than `limit` bytes; nothing is copied then.
    """
    size = folder_bytes(source, limit)
    if size > limit:
        raise FolderTooBig(
            f"{source} holds more than {limit / 1e9:.1f} GB, too much to copy for a run, "
            "and this machine has no copy-on-write view",
            "Run from a smaller folder, or with --in-place: the script then writes your files.",
        )
    shutil.copytree(source, target, symlinks=False, ignore=_ignore, ignore_dangling_symlinks=True)


def folder_bytes(source: Path, limit: int) -> int:
    """Bytes that a copy would take; counting stops once they are more than `limit`."""
    total = 0
    for folder, names, files in os.walk(source):
        names[:] = [name for name in names if name not in LEFT_OUT]
        for name in files:
            try:
                total += (Path(folder) / name).stat().st_size
            except OSError:
                continue
        if total > limit:
            break
    return total


def _ignore(folder: str, names: list[str]) -> set[str]:
    special = {
        name
        for name in names
        if not (Path(folder) / name).is_dir() and not (Path(folder) / name).is_file()
    }
    return special | (LEFT_OUT & set(names))
