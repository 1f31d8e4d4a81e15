"""Compares what a repaired script prints with what the fixed one prints. Pure."""

from __future__ import annotations

import math
import re

TOLERANCE = 0.1
"""The contract of `eval`: a verified fix comes within 10 % of what fixed/ prints."""
NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|nan\b|inf\b)", re.IGNORECASE
)


def last_line(output: str) -> str:
    """The last line that is not empty; it states the script's own measure."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def numbers_in(line: str) -> list[float]:
    """The numbers in a line, NaN and infinities among them."""
    return [float(text) for text in NUMBER.findall(line)]


def prints_like(repaired: str, fixed: str, broken: str) -> bool:
    """Whether the repaired script's measure is within `TOLERANCE` of the fixed one's.

    The measure is the last number of the line that the broken and the fixed script print
    differently (so that a count of steps is not taken for it); else the last number.
    """
    ours, theirs, before = numbers_in(repaired), numbers_in(fixed), numbers_in(broken)
    if not ours or not theirs:
        return False
    if len(ours) == len(theirs) == len(before):
        for our, their, old in reversed(list(zip(ours, theirs, before, strict=True))):
            if not close(old, their):
                return close(our, their)
    return close(ours[-1], theirs[-1])


def close(value: float, wanted: float) -> bool:
    """Whether a value is within `TOLERANCE` of the wanted one."""
    if not math.isfinite(value) or not math.isfinite(wanted):
        return False
    return abs(value - wanted) <= TOLERANCE * abs(wanted)
