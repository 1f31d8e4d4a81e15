"""Values that several verbs read from the command line, with errors that say what to do."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from diagnoser.errors import InputError

STAGES = ("audit", "probe", "experiments", "verify", "llm")


def stages_in(text: str) -> tuple[str, ...]:
    """Read a list of stages, in the order in which they run.

    Raises:
        InputError: a stage is unknown, or none is named.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = f"The stages are {', '.join(STAGES)}: name one or more, with commas between them."
    for name in names:
        if name not in STAGES:
            raise InputError(f"there is no stage {name!r}", known)
    if not names:
        raise InputError("--stages names no stage", known)
    return tuple(stage for stage in STAGES if stage in names)


def positive_seconds(value: float, option: str) -> float:
    """Check a time limit in seconds.

    Raises:
        InputError: it is not a finite number above zero.
    """
    if not math.isfinite(value) or value <= 0:
        raise InputError(f"{option} {value:g} is no time limit", f"Give {option} seconds above 0.")
    return value


def positive_count(value: int, option: str) -> int:
    """Check a count.

    Raises:
        InputError: it is below one.
    """
    if value < 1:
        raise InputError(f"{option} {value} leaves nothing to do", f"Give {option} 1 or more.")
    return value


def variables_in(pairs: Sequence[str]) -> dict[str, str]:
    """Read `NAME=VALUE` pairs.

    Raises:
        InputError: a pair has no `=` or no name.
    """
    variables = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise InputError(f"--env {pair!r} sets nothing", "Write --env NAME=VALUE.")
        variables[name] = value
    return variables


def check_folder(path: Path | None, option: str) -> None:
    """Raise InputError unless a folder is there or can be made."""
    if path is None:
        return
    there = path.absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise InputError(
            f"{option} {path} cannot be made: {there} is no folder that can be written",
            f"Give {option} a folder.",
        )


def check_program(path: str | None, option: str) -> None:
    """Raise InputError unless a path or name leads to a program."""
    if path is not None and shutil.which(path) is None:
        raise InputError(
            f"{option} {path} is no program that can be run",
            f"Give {option} the path of a Python interpreter.",
        )
