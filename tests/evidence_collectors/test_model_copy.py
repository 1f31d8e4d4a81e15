"""A copy of a model is independent, and trying it leaves no trace in the run."""

from __future__ import annotations

import random

import numpy as np
import torch
from torch import nn

from evidence_collectors.model_copy import copy_of, undisturbed


class Noisy(nn.Module):
    """Counts its calls, prints, and draws from every stream."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.norm = nn.Linear(3, 3), nn.BatchNorm1d(3)
        self.own = torch.Generator().manual_seed(1)
        self.calls: list[int] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        print("called")
        self.calls.append(len(self.calls))
        draws = torch.rand(1) + random.random() + np.random.rand()  # noqa: NPY002
        return self.norm(self.layer(x)) * (draws + torch.rand(1, generator=self.own))


def test_a_try_changes_neither_the_model_nor_any_random_stream(capsys) -> None:  # type: ignore[no-untyped-def]
    model = Noisy()
    model.layer.register_forward_hook(lambda *_: model.calls.append(-1))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    states = torch.get_rng_state(), random.getstate(), model.own.get_state()
    drawn = np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002
    with undisturbed(torch, model):
        made = copy_of(torch, model)
        assert made is not None
        made.train()
        made(torch.randn(4, 3)).sum().backward()
    assert capsys.readouterr().out == ""
    assert model.calls == []
    assert model.training
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())
    assert torch.equal(torch.get_rng_state(), states[0])
    assert random.getstate() == states[1]
    assert torch.equal(model.own.get_state(), states[2])
    assert (np.random.get_state()[1] == drawn).all()  # type: ignore[index]  # noqa: NPY002


def test_no_copy_is_made_of_a_model_that_is_too_large() -> None:
    class Huge(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.empty(3000, 3000))

    assert copy_of(torch, Huge()) is None
