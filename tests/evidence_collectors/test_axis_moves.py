"""Axes that a reshape moves, against the way of each element of a counted tensor."""

from __future__ import annotations

import pytest
import torch

from evidence_collectors.collectors.axis_moves import moved_sizes


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        ((12, 12, 3), (3, 12, 12), [3, 12]),
        ((8, 10, 64), (8, 4, 10, 16), [10]),
        ((2, 32, 16), (32, 32), []),
        ((2, 30, 16), (30, 32), [30]),
        ((5, 7), (7, 5), [5, 7]),
        ((8, 10, 64), (8, 10, 4, 16), []),
        ((8, 10, 4, 16), (8, 10, 64), []),
        ((16, 3, 8, 8), (16, 192), []),
        ((4, 6, 11), (24, 11), []),
        ((16, 1, 28, 28), (16, 28, 28), []),
        ((32, 20, 6), (32, 10, 12), []),
    ],
)
def test_sizes_that_change_their_stride_are_named(
    old: tuple[int, ...], new: tuple[int, ...], moved: list[int]
) -> None:
    assert moved_sizes(old, new) == moved


@pytest.mark.parametrize(
    ("old", "new", "axis", "there"),
    [((8, 10, 64), (8, 4, 10, 16), 1, 2), ((8, 10, 64), (8, 10, 4, 16), 1, 1)],
)
def test_an_axis_is_moved_where_a_step_along_it_meets_other_elements(
    old: tuple[int, ...], new: tuple[int, ...], axis: int, there: int
) -> None:
    counted = torch.arange(8 * 10 * 64).reshape(old)
    result = counted.reshape(new)
    before = {int(v) for v in counted.select(axis, 1).flatten()}
    after = {int(v) for v in result.select(there, 1).flatten()}
    assert (before != after) == (old[axis] in moved_sizes(old, new))
