"""Filled positions are found by value and place, against a search row by row."""

from __future__ import annotations

import pytest
import torch

from evidence_collectors.padding import find_padding


def filled(rows: int = 12, width: int = 9, value: int = 0, side: str = "end") -> torch.Tensor:
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(1, 30, (rows, width), generator=generator)
    for row in range(rows):
        length = 2 + row % (width - 2)
        if side == "end":
            ids[row, length:] = value
        else:
            ids[row, : width - length] = value
    return ids


@pytest.mark.parametrize("side", ["end", "begin"])
@pytest.mark.parametrize("value", [0, 40])
def test_the_filling_is_found_on_either_side(side: str, value: int) -> None:
    ids = filled(value=value, side=side)
    found = find_padding(torch, ids)
    assert found is not None
    assert (found.value, found.side) == (value, side)
    for row in range(len(ids)):
        for position in range(ids.shape[1]):
            assert bool(found.mask[row, position]) == (int(ids[row, position]) == value)


def test_features_are_filled_where_all_of_a_position_are_equal() -> None:
    mask = filled() == 0
    values = torch.randn(12, 9, 4)
    values[mask] = 0.0
    found = find_padding(torch, values)
    assert found is not None
    assert torch.equal(found.mask, mask)


def test_a_horizon_of_fixed_length_is_no_padding() -> None:
    ids = torch.randint(1, 30, (12, 9))
    ids[:, 6:] = 0
    assert find_padding(torch, ids) is None


def test_a_token_that_also_stands_inside_is_no_padding() -> None:
    ids = filled()
    ids[3, 0] = 0
    assert find_padding(torch, ids) is None


def test_plain_tokens_have_no_padding() -> None:
    assert find_padding(torch, torch.randint(1, 4, (16, 10))) is None
