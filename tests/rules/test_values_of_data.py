"""The causes that rest on values of inputs, targets and predictions, on small records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diagnoser.rules.assigned_names import assigned_argument, assigned_at
from diagnoser.rules.base import Finding
from diagnoser.rules.causes.input_not_normalized import InputNotNormalized
from diagnoser.rules.causes.integer_wraparound import IntegerWraparound
from diagnoser.rules.causes.large_offset_precision import LargeOffsetPrecision
from diagnoser.rules.causes.sentinel_values import SentinelValues
from diagnoser.rules.causes.target_not_scaled import TargetNotScaled
from diagnoser.rules.causes.wrong_loss_for_task import WrongLossForTask
from diagnoser.rules.causes.wrong_output_activation import WrongOutputActivation
from diagnoser.rules.causes.wrong_output_size import WrongOutputSize
from diagnoser.rules.examination import Examination, Record
from diagnoser.schema import Location

HERE = Location(file="/home/me/train.py", line=7)


def record(kind: str, **data: Any) -> Record:
    return Record(kind, 9, "train", 0.0, HERE, data)


def pair(**more: Any) -> Record:
    spread = {"count": 90, "min": 0.0, "max": 1.0, "mean": 0.5, "std": 0.3, "zeros": 0.0}
    return record(
        "loss.pairs",
        **{
            "loss": "mse_loss",
            "calls": 30,
            "backward": 200,
            "predicted_shape": [30, 1],
            "target_shape": [30, 1],
            "target_dtype": "float32",
            "first": spread,
            "late": spread,
            "target": {**spread, "distinct": 80, "whole": False},
            **more,
        },
    )


def settled(findings: list[Finding]) -> bool:
    return any(finding.direct and finding.decibans >= 10 for finding in findings)


def weigh(rule: Any, *records: Record) -> list[Finding]:
    return list(rule().weigh(Examination(records=records, ran=True)))


def marked(gap: float, value: float = -999.0, rest: float = 0.01) -> Mapping[str, Any]:
    return {
        "values": [{"value": value, "count": 40}],
        "share": 0.04,
        "gap": gap,
        "rest_min": 1.0,
        "rest_max": 9.0,
        "rest_distinct": 50,
        "rest_std": rest,
        "std": 1.0,
    }


def inputs(**column: Any) -> Record:
    facts = {"column": 2, "count": 900, "mean": 0.0, "std": 1.0, "marks": None, **column}
    return record(
        "input.columns", model="Net", position=0, calls=20, rows=900, width=1, shape=[30, 1],
        columns=[facts],
    )  # fmt: skip


def test_a_far_mark_that_rules_the_spread_is_observed() -> None:
    assert settled(weigh(SentinelValues, inputs(marks=marked(90.0))))


def test_silent_without_a_mark_and_not_sure_of_a_near_one() -> None:
    assert not settled(weigh(SentinelValues, inputs()))
    assert not settled(weigh(SentinelValues, inputs(marks=marked(5.0, value=-4.7))))


def test_a_near_mark_counts_where_the_table_shows_a_customary_value() -> None:
    table = record("table.marks", name="table", column="depth", dtype="f8", marks=marked(5.0))
    assert settled(weigh(SentinelValues, inputs(marks=marked(5.0, value=-4.7)), table))


def test_a_mark_that_leaves_the_spread_is_no_harm() -> None:
    assert not settled(weigh(SentinelValues, inputs(marks=marked(90.0, rest=0.9))))


def test_targets_out_of_a_sigmoid_s_range_are_observed() -> None:
    made = {"name": "sigmoid", "node": "SigmoidBackward0", "at": None}
    reach = {"low": 0.0, "high": 1.0, "outside": 0.9, "unreachable": 2.0}
    assert settled(weigh(WrongOutputActivation, pair(activation=made, reach=reach)))
    reach = {"low": 0.0, "high": 1.0, "outside": 0.4, "unreachable": 0.001}
    assert not settled(weigh(WrongOutputActivation, pair(activation=made, reach=reach)))


def test_one_unit_for_unlike_targets_is_observed_and_for_raters_is_not() -> None:
    shapes = {"predicted_shape": [30, 1], "target_shape": [30, 3], "loss": "difference"}
    assert settled(weigh(WrongOutputSize, pair(**shapes, within=0.67)))
    assert not settled(weigh(WrongOutputSize, pair(**shapes, within=0.1)))


def test_levels_of_quantiles_are_told_from_a_time_grid() -> None:
    levels = {"size": 3, "min": 0.1, "max": 0.9, "distinct": 3, "at": None}
    assert settled(weigh(WrongOutputSize, pair(product=levels)))
    assert not settled(weigh(WrongOutputSize, pair(product={**levels, "max": 5.0})))


def test_cross_entropy_of_one_unit_is_observed() -> None:
    assert settled(weigh(WrongLossForTask, pair(loss="cross_entropy")))
    assert not settled(weigh(WrongLossForTask, pair(loss="cross_entropy", predicted_shape=[9, 3])))


def test_tags_are_settled_only_where_outputs_meet_a_threshold() -> None:
    rows = {"binary": True, "many": 0.4, "mean_sum": 1.5, "above_zero": 2.0}
    shape = {"loss": "cross_entropy", "predicted_shape": [30, 9], "class_rows": rows}
    assert settled(weigh(WrongLossForTask, pair(**shape, decided={"gt": 1})))
    assert not settled(weigh(WrongLossForTask, pair(**shape, decided={"topk": 2})))


def test_ids_without_an_order_are_told_from_ratings() -> None:
    near = {"rows": 400, "classes": 8, "nearest_mean": 0.95, "rounded": 0.4, "linear": 0.15}
    assert settled(weigh(WrongLossForTask, pair(neighbours=near)))
    assert not settled(weigh(WrongLossForTask, pair(neighbours={**near, "linear": 0.97})))
    assert not settled(weigh(WrongLossForTask, pair(neighbours={**near, "rounded": 0.9})))


def test_large_inputs_alone_are_no_fault() -> None:
    learnt = pair(loss="cross_entropy", late_loss=0.1, constant_loss=1.1, predicted_shape=[30, 3])
    assert all(f.decibans <= 0 for f in weigh(InputNotNormalized, inputs(mean=9e4), learnt))
    stuck = pair(loss="cross_entropy", late_loss=1.1, constant_loss=1.1, predicted_shape=[30, 3])
    proposed = weigh(InputNotNormalized, inputs(mean=9e4), stuck)
    assert any(finding.decibans > 0 for finding in proposed)
    assert not settled(proposed)


def prices(late_mean: float, late_std: float) -> Record:
    size = {"count": 90, "min": 0.0, "max": 1.0, "zeros": 0.0}
    return pair(
        first={**size, "mean": 0.1, "std": 0.1},
        late={**size, "mean": late_mean, "std": late_std},
        target={**size, "mean": 250.0, "std": 40.0, "distinct": 90, "whole": False},
        error=6.0 if late_mean < 200 else 1.0,
    )


def test_targets_that_outputs_do_not_come_near_are_observed() -> None:
    moving = record("update.ratio", ratio=0.01)
    assert settled(weigh(TargetNotScaled, prices(20.0, 5.0), moving))


def test_outputs_that_stand_at_the_targets_mean_have_another_fault() -> None:
    assert all(f.decibans <= 0 for f in weigh(TargetNotScaled, prices(250.0, 0.1)))


def wrapped(**more: Any) -> Record:
    data = {
        "expression": "a - b", "operator": "Sub", "dtype": "uint8", "values": 100, "share": 0.3,
        "result": 254, "exact": -2, "library": "numpy", "operand": [7, 4, 7, 5],
        "one_value": False, "constant": False,
    }  # fmt: skip
    return record("integer.wrapped", **{**data, **more})


def test_wrapping_is_observed_except_for_a_label_that_is_turned_into_255() -> None:
    assert settled(weigh(IntegerWraparound, wrapped()))
    assert not settled(weigh(IntegerWraparound, wrapped(one_value=True, constant=True)))


def coarse(**more: Any) -> Record:
    data = {
        "rows": 800, "mean": 1.7e9, "std": 2000.0, "step": 128.0, "distinct": 57,
        "least_steps": 1.0, "name": "table", "column": "0", "source_distinct": None,
    }  # fmt: skip
    return record("column.resolution", **{**data, **more})


def test_a_grid_that_is_used_up_is_observed_and_whole_counts_are_not() -> None:
    assert settled(weigh(LargeOffsetPrecision, coarse()))
    assert not settled(weigh(LargeOffsetPrecision, coarse(step=1.0, std=20.0, mean=8.4e6)))
    assert settled(weigh(LargeOffsetPrecision, coarse(step=1.0, std=20.0, source_distinct=800)))


SOURCE = """
x = load()

def run(x, rows):
    y = x * 2
    for a, b in rows:
        loss = F.mse_loss(net(a), y[b])

loss = F.mse_loss(net(x[rows]), x)
"""


def test_names_are_followed_to_their_assignment_in_the_same_function() -> None:
    sources = {HERE.file: SOURCE}

    def line(number: int) -> Location:
        return Location(file=HERE.file, line=number)

    assert assigned_at(sources, "y", line(7)) == line(5)
    assert assigned_at(sources, "x", line(7)) is None
    assert assigned_at(sources, "a", line(7)) is None
    assert assigned_argument(sources, line(7), "loss", 1) == line(5)
    assert assigned_argument(sources, line(9), "", 0) == line(2)
