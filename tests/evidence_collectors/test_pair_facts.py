"""What is said of predictions and targets, against PyTorch's own losses and slow loops."""

from __future__ import annotations

import math
from collections import Counter

import pytest
import torch
from torch.nn import functional as F

from evidence_collectors.nearest import agreement
from evidence_collectors.pair_facts import PairSite, best_constant, loss_of


def seen(loss: str, predicted: torch.Tensor, target: torch.Tensor, **made: object) -> dict:
    site = PairSite(loss, None, None)
    if made:
        site.settle(dict(made), None)
    for backward in range(1, 4):
        site.look(torch, predicted, target, None, backward)
    return site.facts(torch)


def test_the_best_constant_for_classes_is_their_entropy() -> None:
    ids = torch.tensor([0, 0, 1, 2, 2, 2])
    shares = [count / 6 for count in Counter(ids.tolist()).values()]
    expected = -sum(share * math.log(share) for share in shares)
    assert best_constant(torch, "cross_entropy", ids) == pytest.approx(expected)


@pytest.mark.parametrize("loss", ["mse_loss", "l1_loss", "binary_cross_entropy_with_logits"])
def test_the_loss_is_the_one_that_torch_computes(loss: str) -> None:
    generator = torch.Generator().manual_seed(1)
    predicted = torch.randn(20, 2, generator=generator).double()
    target = (torch.rand(20, 2, generator=generator) > 0.5).double()
    found = loss_of(torch, loss, predicted, target)
    assert found == pytest.approx(getattr(F, loss)(predicted, target).item())


def test_the_cross_entropy_leaves_out_ignored_rows() -> None:
    predicted = torch.randn(9, 4, generator=torch.Generator().manual_seed(2)).double()
    ids = torch.tensor([0, 1, 2, 3, -100, 1, 2, -100, 0])
    found = loss_of(torch, "cross_entropy", predicted, ids)
    assert found == pytest.approx(F.cross_entropy(predicted, ids).item())


def test_the_variance_out_of_a_relu_s_reach_is_that_of_the_negative_targets() -> None:
    target = torch.tensor([-2.0, -1.0, 1.0, 2.0]).reshape(4, 1)
    facts = seen("mse_loss", target.abs(), target, name="relu", node="ReluBackward0", at=None)
    assert facts["reach"]["outside"] == 0.5
    assert facts["reach"]["unreachable"] == pytest.approx((4 + 1) / 4 / 2.5)


def test_targets_in_range_leave_nothing_out_of_reach() -> None:
    target = torch.rand(30, 1, generator=torch.Generator().manual_seed(0))
    facts = seen("mse_loss", target, target, name="sigmoid", node="SigmoidBackward0", at=None)
    assert facts["reach"]["outside"] == 0.0


def test_rows_with_several_ones_are_counted() -> None:
    target = torch.tensor([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    facts = seen("cross_entropy", torch.zeros(4, 3), target)
    assert facts["class_rows"]["binary"] is True
    assert facts["class_rows"]["many"] == 0.5
    assert facts["class_rows"]["mean_sum"] == pytest.approx(7 / 4)


def test_the_share_within_rows_is_a_loop_s() -> None:
    target = torch.tensor([[1.0, 5.0], [2.0, 3.0], [4.0, 1.0], [3.0, 2.0]])
    facts = seen("difference", torch.zeros(4, 1), target)
    rows = (target - target.mean(0)).tolist()
    total = sum(value**2 for row in rows for value in row)
    within = sum((value - sum(row) / 2) ** 2 for row in rows for value in row)
    assert facts["within"] == pytest.approx(within / total)


def test_nearest_class_means_are_a_loop_s() -> None:
    generator = torch.Generator().manual_seed(5)
    ids = torch.arange(3).repeat(8).double()
    centres = torch.tensor([[0.0, 4.0], [5.0, 0.0], [-4.0, -4.0]]).double()
    inputs = centres[ids.long()] + torch.randn(24, 2, generator=generator).double()
    found = agreement(torch, inputs, ids, ids + 0.6)
    scaled = (inputs - inputs.mean(0)) / inputs.std(0, unbiased=False)
    hits = 0
    for row in range(24):
        best = None
        for name in range(3):
            others = [i for i in range(24) if ids[i] == name and i != row]
            distance = float((scaled[row] - scaled[others].mean(0)).norm())
            if best is None or distance < best[0]:
                best = (distance, name)
        assert best is not None
        hits += best[1] == int(ids[row])
    assert found["nearest_mean"] == pytest.approx(hits / 24)
    assert found["rounded"] == 0.0


def test_class_means_on_a_line_are_linear_in_the_id() -> None:
    ids = torch.arange(5).repeat(10).double()
    inputs = torch.stack([2.0 * ids, -ids], 1) + 0.01 * torch.randn(50, 2).double()
    assert agreement(torch, inputs, ids, ids)["linear"] > 0.99
