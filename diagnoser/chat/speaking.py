"""Prints replies and errors; a reader that is gone is no error."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from diagnoser.errors import DiagnoserError

CANCELLED = "Cancelled; nothing of it is left, and the last answer stands."


def say(text: str) -> None:
    """Print a reply on standard output."""
    if not text:
        return
    try:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def own_failure(error: Exception) -> DiagnoserError:
    """A fault of ours as an error for the user, with the place where it happened."""
    import traceback

    frame = traceback.extract_tb(error.__traceback__)[-1]
    return DiagnoserError(
        f"diagnoser itself failed: {type(error).__name__}: {error}",
        f"This is a fault of diagnoser ({frame.filename}:{frame.lineno}); the talk goes on.",
    )


def say_error(error: DiagnoserError, stream: TextIO) -> None:
    """Print what is wrong and what to do about it, each on a line of its own."""
    from diagnoser.report.literal import one_line

    advice = one_line(error.advice) or "/help lists what can be asked."
    try:
        stream.write(f"error: {one_line(str(error))}\n{advice}\n")
        stream.flush()
    except OSError:
        return
