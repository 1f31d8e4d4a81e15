"""Rules on tokens, masks, states and axes: which facts settle them and which do not."""

from __future__ import annotations

from typing import Any

from diagnoser.rules.base import Finding
from diagnoser.rules.causes.axes_scrambled import AxesScrambled, permutation
from diagnoser.rules.causes.causal_mask_missing import CausalMaskMissing
from diagnoser.rules.causes.hidden_state_leaks import HiddenStateLeaks
from diagnoser.rules.causes.softmax_wrong_dim import SoftmaxWrongDim
from diagnoser.rules.causes.targets_not_shifted import TargetsNotShifted
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.token_targets import target_offset
from tests.rules.conftest import LINE


def examined(kind: str, **data: Any) -> Examination:
    return Examination(records=(Record(kind, 0, "train", 0.0, LINE, data),))


def settled(findings: list[Finding]) -> bool:
    return any(finding.direct and finding.decibans >= 10 for finding in findings)


def tokens(**data: Any) -> Examination:
    moves = {
        "position": 4,
        "earlier_change": 0.0,
        "own_change": 0.5,
        "later_change": 0.2,
        "earlier_moved": 0,
        "leak_at": None,
    }
    moves.update(data.pop("moves", {}))
    facts = {"same": 0.1, "next": 1.0, "shorter": False, "integer": True, "causality": moves}
    return examined("targets.tokens", **{**facts, **data})


def test_unshifted_targets_of_a_causal_model_are_observed() -> None:
    assert settled(TargetsNotShifted().weigh(tokens(same=1.0, next=0.1)))


def test_an_autoencoder_that_sees_all_positions_is_not_accused() -> None:
    moves = {"earlier_change": 0.4, "earlier_moved": 4}
    assert not settled(TargetsNotShifted().weigh(tokens(same=1.0, next=0.1, moves=moves)))


def test_silent_when_targets_are_one_ahead_of_a_causal_model() -> None:
    for rule in (TargetsNotShifted(), CausalMaskMissing()):
        assert [finding.outcome for finding in rule.weigh(tokens())] == ["silent"]


def test_a_visible_future_is_observed() -> None:
    moves = {"earlier_change": 0.04, "earlier_moved": 4}
    assert settled(CausalMaskMissing().weigh(tokens(moves=moves)))


def test_shorter_targets_are_placed_by_the_outputs_that_count() -> None:
    facts = {"same": 0.1, "next": 1.0, "shorter": True}
    assert target_offset({**facts, "first_counted": True, "last_counted": False}) == 1
    assert target_offset({**facts, "first_counted": False, "last_counted": True}) == 0
    assert target_offset({**facts, "first_counted": True, "last_counted": True}) is None


def test_a_sequence_that_repeats_itself_tells_nothing() -> None:
    assert target_offset({"same": 1.0, "next": 1.0, "shorter": False}) is None


def state(**data: Any) -> Examination:
    facts = {"start": "given", "norm": 0.2, "carried": True, "rows": 16, "how": "a loader"}
    return examined("recurrent.state", **{"unrelated": True, "same_draw": False, **facts, **data})


def test_a_state_carried_between_shuffled_batches_is_observed() -> None:
    assert settled(HiddenStateLeaks().weigh(state()))


def test_a_state_carried_along_one_batch_or_series_is_not_accused() -> None:
    for data in ({"unrelated": False, "same_draw": True}, {"unrelated": False, "rows": 1}):
        assert [f.outcome for f in HiddenStateLeaks().weigh(state(**data))] == ["silent"]
    assert not settled(HiddenStateLeaks().weigh(state(unrelated=False)))


def softmax(shape: list[int], axis: int, summed: int, samples: int) -> Examination:
    entry = {"axis": axis, "summed_axis": summed, "samples_axis": samples, "shape": shape}
    return examined("model.samples", softmaxes=[entry], layers=[], outputs=None)


def test_a_softmax_over_the_batch_or_the_heads_is_observed() -> None:
    assert settled(SoftmaxWrongDim().weigh(softmax([64, 8], 0, 1, 0)))
    assert settled(SoftmaxWrongDim().weigh(softmax([32, 4, 9, 9], 1, 3, 0)))


def test_soft_assignment_is_not_accused() -> None:
    assert not settled(SoftmaxWrongDim().weigh(softmax([32, 4, 10], 1, 2, 0)))


def layer(**data: Any) -> Examination:
    entry = {"class": "GRU", "recurrent": True, "time_axis": 0, "samples_axis": 0}
    entry.update({"shape": [40, 18, 3], "at": None, "built_at": None})
    facts = {"drawn": True, "how": "a loader", "layers": [entry], "outputs": None}
    return examined("model.samples", **{**facts, **data})


def test_samples_read_as_time_are_observed_where_they_were_drawn() -> None:
    assert settled(AxesScrambled().weigh(layer()))


def test_a_first_axis_of_unknown_meaning_is_not_accused() -> None:
    assert not settled(AxesScrambled().weigh(layer(drawn=False)))


def test_the_order_of_axes_is_found_by_size() -> None:
    assert permutation([12, 12, 3], [3, 12, 12]) == [2, 0, 1]
    assert permutation([2, 30, 16], [30, 32]) is None
