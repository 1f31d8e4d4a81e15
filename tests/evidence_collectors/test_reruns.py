"""What moves what, measured on copies, against models whose answer is known or tried out by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

from evidence_collectors.padding import find_padding
from evidence_collectors.reruns import masks, samples, sequences
from evidence_collectors.reruns.call_trace import Trace, trace
from evidence_collectors.reruns.model_copy import ModelCopy

PROBE: Any = SimpleNamespace(torch=torch, locate=lambda frame: None)
COUNT: list[int] = []


class Counting(nn.Module):
    """Draws, counts outside and inside, and keeps a tensor with a graph."""

    calls: torch.Tensor

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)
        self.register_buffer("calls", torch.zeros(1))
        self.kept: torch.Tensor | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        COUNT.append(1)
        self.calls += 1
        self.kept = self.drop(self.layer(x))
        return self.kept


def traced(forward: Any, *args: Any) -> Trace:
    return trace(PROBE, lambda: forward(*args))


def test_a_copy_repeats_the_call_and_changes_nothing() -> None:
    COUNT.clear()
    model, x = Counting(), torch.randn(4, 3)
    model(x)
    made = ModelCopy(torch, None, model, (x,), {})
    output = model(x)
    state, calls = torch.get_rng_state(), len(COUNT)
    for _ in range(2):
        assert torch.equal(made.call(made.model(), (x,), {}), output.detach())
    assert torch.equal(torch.get_rng_state(), state)
    assert (len(COUNT), float(model.calls)) == (calls, 2.0)
    assert model.kept is output


def attend(axis: int) -> Any:
    def forward(score: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        weight = score.softmax(dim=axis)
        return torch.einsum("bt,btd->bd", weight, value)

    return forward


@pytest.mark.parametrize("axis", [0, 1])
def test_axes_of_a_softmax_of_its_samples_and_of_the_sum(axis: int) -> None:
    score, value = torch.randn(6, 4), torch.randn(6, 4, 2)
    axes = samples.sample_axes([score, value], 0, score)
    args, _ = samples.replaced(torch, axes, (score, value), {}, 3, 5)
    before, after = traced(attend(axis), score, value), traced(attend(axis), *args)
    found = samples.softmaxes(torch, before, after, 6, 3)
    assert [(s["axis"], s["samples_axis"], s["summed_axis"]) for s in found] == [(axis, 0, 1)]
    facts = samples.output_facts(torch, before.output, after.output, 6, 3)
    apart = [float((before.output[k] - after.output[k]).abs().max()) for k in range(6)]
    assert facts["own_change"] == pytest.approx(apart[3])
    others = [apart[k] for k in range(6) if k != 3]
    assert facts["others_moved"] == sum(change > 0 for change in others) == (5 if axis == 0 else 0)
    assert facts["others_change"] == pytest.approx(max(others))


@pytest.mark.parametrize(
    ("run", "summed"),
    [
        (lambda w, v: w @ v, 2),
        (lambda w, v: torch.bmm(w.transpose(1, 2), v), 1),
        (lambda w, v: (w.unsqueeze(-1) * v.unsqueeze(1)).sum(2), 2),
    ],
)
def test_the_summed_axis_is_read_through_products_and_views(run: Any, summed: int) -> None:
    score, value = torch.randn(3, 5, 5), torch.randn(3, 5, 2)
    before = traced(lambda: run(score.softmax(-1), value))
    found = samples.softmaxes(torch, before, before, 3, 1)
    assert found[0]["summed_axis"] == summed


@pytest.mark.parametrize("bidirectional", [False, True])
def test_a_later_position_moves_earlier_outputs_of_a_reverse_pass_only(bidirectional: bool) -> None:
    embed, layer = nn.Embedding(9, 4), nn.GRU(4, 5, batch_first=True, bidirectional=bidirectional)
    ids = torch.randint(0, 9, (3, 8))

    def run(tokens: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = layer(embed(tokens))[0].detach()
        return output

    (changed,), _ = sequences.changed_at(torch, ids, 1, 4, (ids,), {})
    assert bool((changed != ids)[:, 4].all() | (ids == ids[:, :1]).all())
    assert torch.equal(changed[:, :4], ids[:, :4])
    both = run(ids), run(changed)
    moves = sequences.causality(torch, Trace(), Trace(), both, ids.shape, 1, 4)
    assert moves is not None
    by_hand = [float((both[0][:, t] - both[1][:, t]).abs().max()) for t in range(8)]
    assert moves["earlier_change"] == pytest.approx(max(by_hand[:4]), abs=1e-6)
    assert moves["own_change"] == pytest.approx(by_hand[4])
    assert (moves["earlier_moved"] > 0) == bidirectional


def test_targets_are_compared_at_the_same_and_the_next_position() -> None:
    rows = torch.randint(0, 50, (6, 12))
    ids, following = rows[:, :-1], rows[:, 1:]
    shifted = sequences.relation(torch, ids, following.reshape(-1), -100)
    assert shifted is not None
    equal = [int(a == b) for a, b in zip(ids.flatten(), following.flatten(), strict=True)]
    assert shifted["next"] == 1.0
    assert shifted["same"] == pytest.approx(sum(equal) / len(equal))
    same = sequences.relation(torch, ids, ids.reshape(-1), -100)
    assert same is not None
    assert (same["same"], same["shorter"]) == (1.0, False)
    shorter = sequences.relation(torch, rows, following, -100)
    assert shorter is not None
    assert (shorter["next"], shorter["shorter"]) == (1.0, True)
    time_first = sequences.relation(torch, ids.t(), following.t().reshape(-1), -100)
    assert time_first is not None
    assert (time_first["axis"], time_first["next"]) == (0, 1.0)


def test_positions_that_count_are_read_from_the_gradient() -> None:
    ids = torch.randint(1, 9, (8, 6))
    for row in range(8):
        ids[row, 2 + row % 4 :] = 0
    padding = find_padding(torch, ids)
    assert padding is not None
    output = torch.randn(8, 6, requires_grad=True)
    target = torch.where(padding.mask, torch.zeros(8, 6), torch.randn(8, 6))
    weight = padding.mask.float()
    loss = (weight * (output - target) ** 2).sum() / weight.sum()
    (gradient,) = torch.autograd.grad(loss, output)
    facts = masks.counted_positions(torch, output, gradient, padding, None)
    assert facts is not None
    assert (facts["real_counted"], facts["padding_counted"]) == (0.0, 1.0)
    assert facts["constant_target"]
    assert facts["padding"] == sum(int(v == 0) for v in ids.flatten())


def test_the_class_that_ignore_index_drops_is_named() -> None:
    ids = torch.randint(1, 9, (8, 6))
    for row in range(8):
        ids[row, 2 + row % 4 :] = 0
    padding = find_padding(torch, ids)
    assert padding is not None
    target = torch.where(padding.mask, 0, 1 + ids % 3)
    output = torch.randn(8, 4, 6, requires_grad=True)
    loss = nn.functional.cross_entropy(output, target, ignore_index=2)
    (gradient,) = torch.autograd.grad(loss, output)
    facts = masks.counted_positions(torch, output, gradient, padding, target)
    assert facts is not None
    assert (facts["lost_target"], facts["lost_target_kept"], facts["padding_target"]) == (2, 0, 0)
    real = [int(t) for t, m in zip(target.flatten(), padding.mask.flatten(), strict=True) if not m]
    assert facts["real_counted"] == pytest.approx(sum(t != 2 for t in real) / len(real))


@pytest.mark.parametrize("inverted", [False, True])
def test_left_out_keys_are_read_from_the_weights(inverted: bool) -> None:
    ids = torch.randint(1, 9, (8, 6))
    for row in range(8):
        ids[row, 2 + row % 4 :] = 0
    padding = find_padding(torch, ids)
    assert padding is not None
    hidden = ~padding.mask if inverted else padding.mask
    score = torch.randn(8, 6).masked_fill(hidden, float("-inf"))
    found = masks.attention_masks(torch, traced(lambda: score.softmax(-1)), padding)
    shares = [(entry["masked_real"], entry["masked_padding"]) for entry in found]
    assert shares == [(1.0, 0.0) if inverted else (0.0, 1.0)]
