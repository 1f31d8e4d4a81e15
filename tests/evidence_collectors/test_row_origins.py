"""Draws of rows are recognised in the tensor itself and in views of it, and in nothing else."""

from __future__ import annotations

import torch

from evidence_collectors.row_origins import RowOrigins, is_shuffled


def drawn(data: torch.Tensor, index: object) -> tuple[RowOrigins, torch.Tensor]:
    origins = RowOrigins(torch)
    output = data[index]  # type: ignore[index]
    origins.taken(index, output, None)
    return origins, output


def test_an_unsorted_index_draws_the_first_axis() -> None:
    origins, rows = drawn(torch.randn(20, 5, 3), torch.tensor([7, 2, 9, 4]))
    assert origins.axis(rows) == 0
    assert origins.axis(rows[:, :-1]) == 0
    assert origins.axis(rows.transpose(0, 1)) == 1


def test_an_index_behind_a_whole_axis_draws_the_second() -> None:
    origins, columns = drawn(torch.randn(6, 20, 2), (slice(None), torch.tensor([7, 2, 9, 4])))
    assert origins.axis(columns) == 1


def test_rows_in_order_are_no_draw() -> None:
    origins, rows = drawn(torch.randn(20, 5), torch.tensor([2, 3, 4, 5]))
    assert origins.axis(rows) is None
    assert not is_shuffled([9, 8, 7])
    assert is_shuffled([9, 8, 10])


def test_pieces_of_one_draw_share_its_number_and_other_draws_do_not() -> None:
    data = torch.randn(20, 8)
    origins, rows = drawn(data, torch.tensor([7, 2, 9, 4]))
    first, second = origins.of(rows[:, :4]), origins.of(rows[:, 4:])
    index = torch.tensor([5, 1, 3, 0])
    other = data[index]
    origins.taken(index, other, None)
    third = origins.of(other)
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.serial == second.serial != third.serial
    assert origins.of(torch.randn(4, 8)) is None
