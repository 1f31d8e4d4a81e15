"""A masked mark is told from one that reaches the weights, saturated or not."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from evidence_collectors.mark_weight import weight_of_marks

MARK = -999.0


class Masked(nn.Module):
    """Masks before its layer, or behind it."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.layer, self.where = nn.Linear(2, 4), where

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        keep = (x != MARK).all(-1, keepdim=True)
        if self.where == "before":
            x = torch.where(keep, x, torch.zeros_like(x))
        return (torch.tanh(self.layer(x)) * keep).sum(1)


def batch() -> torch.Tensor:
    values = torch.randn(30, 5, 2, generator=torch.Generator().manual_seed(0))
    values[::3, 1] = MARK
    return values


@pytest.mark.parametrize("where", ["before", "behind"])
def test_a_mask_gives_the_mark_no_weight(where: str) -> None:
    found = weight_of_marks(torch, Masked(where), batch(), {0: [MARK]})
    assert found[0]["masked"] is True


@pytest.mark.parametrize("activation", [nn.ReLU(), nn.Tanh()])
def test_a_mark_that_reaches_the_weights_is_not_masked(activation: nn.Module) -> None:
    model = nn.Sequential(nn.Linear(2, 8), activation, nn.Linear(8, 1))
    found = weight_of_marks(torch, model, batch(), {0: [MARK], 1: [MARK]})
    assert [found[column]["masked"] for column in (0, 1)] == [False, False]
