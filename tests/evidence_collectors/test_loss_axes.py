"""The axis along which probabilities sum to one, against sums entry by entry."""

from __future__ import annotations

import math

import pytest
import torch

from evidence_collectors.collectors.loss_axes import own_numbers, unit_axes


@pytest.mark.parametrize("logarithm", [True, False])
def test_columns_that_sum_to_one_are_found(logarithm: bool) -> None:
    values = torch.randn(6, 4).softmax(0)
    for column in range(4):
        total = math.fsum(float(values[row, column]) for row in range(6))
        assert total == pytest.approx(1, abs=1e-5)
    found = unit_axes(torch, values.log() if logarithm else values)
    assert (found["axis"], found["rows"], found["logarithm"]) == (0, 0.0, logarithm)


def test_rows_that_sum_to_one_are_not_another_axis() -> None:
    assert unit_axes(torch, torch.randn(6, 4).log_softmax(1)) is None


def test_logits_sum_to_one_along_no_axis() -> None:
    assert unit_axes(torch, torch.randn(6, 4)) is None
    assert unit_axes(torch, -torch.rand(6, 4) - 3) is None


def test_positions_are_an_axis_too() -> None:
    found = unit_axes(torch, torch.randn(5, 3, 7).softmax(2))
    assert found["axis"] == 2


def test_a_contrastive_batch_asks_for_its_own_numbers() -> None:
    scores = torch.randn(5, 5)
    assert own_numbers(scores, torch.arange(5))
    assert own_numbers(scores, torch.randperm(5))
    assert not own_numbers(scores, torch.tensor([0, 1, 1, 2, 3]))
    assert not own_numbers(torch.randn(5, 3), torch.tensor([0, 1, 2, 0, 1]))
