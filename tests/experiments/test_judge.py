"""An arm removes the symptom only if it learns where the unchanged run does not."""

from __future__ import annotations

import math

import pytest

from diagnoser.experiments.judge import ends_of, removed, same_start
from diagnoser.rules.examination import Examination
from tests.rules.conftest import curve

NAN = math.nan


@pytest.mark.parametrize(
    ("plain", "changed"),
    [
        ((2.3, 2.3), (2.3, 0.2)),
        ((2.3, NAN), (2.3, 1.0)),
        ((2.3, 90.0), (2.3, 1.2)),
        ((2.3, math.inf), (2.3, 0.5)),
        ((NAN, NAN), (2.3, 0.5)),
    ],
)
def test_learning_where_the_unchanged_run_does_not(
    plain: tuple[float, float], changed: tuple[float, float]
) -> None:
    assert removed(plain, changed)


@pytest.mark.parametrize(
    ("plain", "changed"),
    [
        ((2.3, 2.3), (2.3, 2.2)),
        ((2.3, 0.2), (2.3, 0.19)),
        ((2.3, 0.2), (2.3, 2.3)),
        ((2.3, 2.3), (2.3, NAN)),
        ((2.3, NAN), (2.3, math.inf)),
        ((2.3, NAN), (2.3, 2.25)),
        ((2.3, 900.0), (2.3, 300.0)),
        ((2.3, 2.3), (NAN, NAN)),
    ],
)
def test_an_improvement_that_leaves_the_symptom_is_none(
    plain: tuple[float, float], changed: tuple[float, float]
) -> None:
    assert not removed(plain, changed)


def test_both_ends_of_a_run_are_medians() -> None:
    values = [4.0, 5.0, 4.5, *([2.0] * 20), 1.0, 0.5, 0.9]
    assert ends_of(curve(values)) == (4.5, 0.9)


def test_a_run_that_ends_in_nan_has_no_last_loss() -> None:
    first, last = ends_of(curve([2.0] * 30 + [NAN] * 3))
    assert first == 2.0
    assert math.isnan(last)


def test_a_run_without_losses_has_no_ends() -> None:
    assert all(math.isnan(value) for value in ends_of(Examination()))


def test_a_start_is_the_same_bit_by_bit_and_nan_equals_nan() -> None:
    assert same_start([1.0, NAN], [1.0, NAN])
    assert not same_start([1.0], [1.0000001])
