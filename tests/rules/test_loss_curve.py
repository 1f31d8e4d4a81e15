"""Curves are told apart by backward call, read at their edges, and survive what is not finite."""

from __future__ import annotations

import math

import pytest

from diagnoser.rules.examination import Examination, LossCurve, number, parse_records
from diagnoser.rules.symptoms import progress
from tests.rules.conftest import curve


def of(*values: float) -> LossCurve:
    return LossCurve(tuple(range(len(values))), values, None)


def test_an_edge_is_a_median_so_that_one_odd_step_does_not_matter() -> None:
    assert of(100.0, 2.0, 2.1, 1.0, 0.1, 0.1, 9.0).edge(end=False) == 2.1
    assert of(100.0, 2.0, 2.1, 1.0, 0.1, 0.1, 9.0).edge(end=True) == 0.1


def test_an_edge_of_a_long_curve_is_a_twentieth() -> None:
    values = [5.0] * 50 + [1.0] * 950
    assert of(*values).edge(end=False) == 5.0
    assert of(*([5.0] * 20 + [1.0] * 980)).edge(end=False) == 1.0


@pytest.mark.parametrize("values", [(), (math.nan,), (math.inf, math.nan)])
def test_a_curve_without_finite_values_has_no_edge(values: tuple[float, ...]) -> None:
    assert math.isnan(of(*values).edge(end=False))
    assert math.isnan(progress(of(*values)))


def test_values_that_are_not_finite_are_left_out_of_the_edges() -> None:
    assert of(2.0, 2.0, 2.0, math.nan, 1.0, 1.0, math.inf, 1.0).edge(end=True) == 1.0


@pytest.mark.parametrize(
    ("values", "share"), [((4.0,) * 3 + (1.0,) * 3, 0.75), ((1.0,) * 3 + (4.0,) * 3, -0.75)]
)
def test_progress_is_the_fall_relative_to_the_greater_end(
    values: tuple[float, ...], share: float
) -> None:
    assert progress(of(*values)) == pytest.approx(share)


def test_a_negative_loss_that_falls_makes_progress() -> None:
    assert progress(of(*(-1.0,) * 3, *(-2.0,) * 3)) == pytest.approx(0.5)


def test_each_backward_call_has_a_curve_and_the_longest_is_the_main_one() -> None:
    examination = curve([1.0, 0.9], [3.0, 2.0, 1.0])
    assert [found.values for found in examination.curves] == [(3.0, 2.0, 1.0), (1.0, 0.9)]
    assert examination.curve is not None
    assert examination.curve.numbers == (0, 1, 2)


def test_the_place_of_a_curve_is_read_from_the_last_record() -> None:
    at = {"file": "/home/me/train.py", "line": 9, "function": "main"}
    raw = [
        {"kind": "loss.value", "step": 0, "data": {"value": 1.0, "site": 4}, "at": None},
        {"kind": "loss.last", "step": 9, "data": {"site": 4}, "at": at},
    ]
    found = Examination(records=parse_records(raw)).curve
    assert found is not None
    assert found.at is not None
    assert (found.at.file, found.at.line) == ("/home/me/train.py", 9)


@pytest.mark.parametrize(
    ("raw", "value"), [("inf", math.inf), ("-inf", -math.inf), (3, 3.0), ("2.5", 2.5)]
)
def test_numbers_are_read_from_text_too(raw: object, value: float) -> None:
    assert number(raw) == value


@pytest.mark.parametrize("raw", [None, "nan", "text", [], {}])
def test_what_is_no_number_is_nan(raw: object) -> None:
    assert math.isnan(number(raw))


def test_a_record_without_its_parts_is_still_a_record() -> None:
    (record,) = parse_records([{}])
    assert (record.kind, record.step, record.at, dict(record.data)) == ("", 0, None, {})
