"""What the question points at, checked before anything is started."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from diagnoser.errors import InputError
from diagnoser.runner.environment import search_path
from diagnoser.schema import Question

TEXT_SUFFIXES = frozenset({".txt", ".log", ".out", ".err", ".md", ""})
STANDARD_INPUT = "-"
MAX_TEXT_BYTES = 20_000_000


@dataclass(frozen=True)
class Target:
    """A script or command to run, a text to read, or words alone."""

    kind: Literal["script", "command", "text", "words"]
    path: Path | None = None
    text: str = ""

    @property
    def folder(self) -> Path:
        """The folder that relative paths in the answer start from."""
        if self.path is None:
            return Path.cwd()
        return self.path if self.kind == "command" else self.path.parent


def find_target(question: Question, cwd: Path | None = None) -> Target:
    """Resolve the question's target; raises InputError with advice if it is none."""
    if question.target is None:
        if not question.command:
            return Target("words")
        _check_command(question.command[0], cwd or Path.cwd())
        return Target("command", (cwd or Path.cwd()).resolve())
    if question.target == STANDARD_INPUT:
        return Target("text", None, sys.stdin.read(MAX_TEXT_BYTES))
    path = Path(question.target)
    if not path.exists():
        raise InputError(
            f"there is no file {question.target!r}", "Name a .py script, a log file, or no target."
        )
    path = path.resolve()
    if path.is_dir():
        inner = path / "__main__.py"
        if not inner.is_file():
            raise InputError(
                f"the folder {question.target!r} has no __main__.py",
                f"Name the script that trains, for example {question.target.rstrip('/')}/train.py.",
            )
        return Target("script", inner)
    data = _read(path)
    if b"\0" in data[:8192]:
        raise InputError(
            f"{question.target!r} is a binary file", "Name a .py script or a text file with a log."
        )
    if path.suffix == ".py":
        return Target("script", path)
    if path.suffix in TEXT_SUFFIXES:
        return Target("text", path, data.decode("utf-8", "replace"))
    raise InputError(
        f"cannot tell what {question.target!r} is (suffix {path.suffix!r})",
        "Name a .py script, or a log as .txt or .log.",
    )


def _check_command(name: str, cwd: Path) -> None:
    """Raise InputError unless the command's program can be found, as the run will look for it."""
    path = search_path(os.environ.get("PATH", ""))
    if shutil.which(name, path=path) is None and shutil.which(str(cwd / name)) is None:
        raise InputError(
            f"there is no program {name!r}",
            'Give a command that runs here: diagnoser ask "..." -- python train.py --lr 3',
        )


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_TEXT_BYTES)
    except OSError as exc:
        raise InputError(
            f"cannot read {str(path)!r}: {exc.strerror}", "Check the path and its permissions."
        ) from exc
