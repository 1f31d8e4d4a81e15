"""Schedules: functions from a step number to whether to look closely at that step."""

from __future__ import annotations

from typing import Callable

Schedule = Callable[[int], bool]


def first(count: int) -> Schedule:
    """Look at steps 0 .. count-1."""
    return lambda step: step < count


def first_then_powers(dense: int, width: int = 1, factor: int = 2) -> Schedule:
    """Look at the first `dense` steps, then at `width` steps from each power of `factor` on.

    Gradient bookkeeping needs consecutive steps, hence the width.
    """

    def due(step: int) -> bool:
        if step < dense:
            return True
        power = 1
        while power * factor <= step:
            power *= factor
        return step - power < width

    return due


def near_power(count: int, width: int) -> bool:
    """Whether a count lies within `width` from a power of two on (1, 2, 4, 8 …)."""
    return count > 0 and count - (1 << (count.bit_length() - 1)) < width


def next_power(count: int) -> int:
    """The next power of two above a count."""
    return 1 << count.bit_length()


def stride_after(step: int, dense: int, per_decade: int = 40) -> int:
    """Steps until the next one to look at: 1 at first, later about `per_decade` a factor of ten."""
    if step + 1 < dense:
        return 1
    return max(1, int(step * (10 ** (1 / per_decade) - 1)))
