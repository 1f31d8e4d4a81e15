"""What a repaired script prints is compared with what the fixed one prints, within a tenth."""

from __future__ import annotations

import math

import pytest

from diagnoser.evaluate.measure import close, last_line, numbers_in, prints_like


def test_the_last_line_is_the_last_that_says_something() -> None:
    assert last_line("epoch 1\nrmse 20.4\n\n  \n") == "rmse 20.4"
    assert last_line("") == ""


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("test accuracy 0.9649 on 171 patients", [0.9649, 171.0]),
        ("loss=1.5e-3, lr=.1", [0.0015, 0.1]),
        ("rmse: -20.4 (std 105.7)", [-20.4, 105.7]),
        ("accuracy 96%", [96.0]),
        ("conv2d v1.2.3 x86", []),
        ("no number", []),
    ],
)
def test_numbers_are_told_from_names(line: str, numbers: list[float]) -> None:
    assert numbers_in(line)[: len(numbers)] == numbers


def test_nan_and_infinities_are_numbers() -> None:
    values = numbers_in("loss nan, worst inf")
    assert math.isnan(values[0])
    assert math.isinf(values[1])


@pytest.mark.parametrize(
    ("value", "wanted", "near"),
    [(0.91, 1.0, True), (0.89, 1.0, False), (-1.05, -1.0, True), (math.nan, math.nan, False)],
)
def test_near_is_within_a_tenth(value: float, wanted: float, near: bool) -> None:
    assert close(value, wanted) is near


@pytest.mark.parametrize(
    ("repaired", "fixed", "broken", "like"),
    [
        ("rmse 20.9", "rmse 20.4", "rmse 139.6", True),
        ("rmse 40.0", "rmse 20.4", "rmse 139.6", False),
        ("rmse 20.9 (std 105.7)", "rmse 20.4 (std 105.7)", "rmse 139.6 (std 105.7)", True),
        ("rmse 60.0 (std 105.7)", "rmse 20.4 (std 105.7)", "rmse 139.6 (std 105.7)", False),
        ("rmse nan", "rmse 20.4", "rmse nan", False),
        ("", "rmse 20.4", "rmse 139.6", False),
    ],
)
def test_the_measure_is_the_number_in_which_the_broken_one_differs(
    repaired: str, fixed: str, broken: str, like: bool
) -> None:
    assert prints_like(repaired, fixed, broken) is like
