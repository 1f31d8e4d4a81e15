"""Each symptom that a probe can read is present, absent or not seen, with the number."""

from __future__ import annotations

import math

import pytest

from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.symptoms import read_all
from diagnoser.schema import SymptomReading
from tests.rules.conftest import curve, raised

FALLING = [2.0 * 0.93**step for step in range(80)]
FLAT = [2.3 + 0.001 * (-1) ** step for step in range(80)]
CLIMBING = [1.1**step for step in range(80)]
SWINGING = [0.1 if step % 3 else 3.0 for step in range(80)]
ALTERNATING = [3.0 if step % 2 else 0.1 for step in range(80)]
PLATEAU = [3.0 - 2.0 * min(step / 20, 1.0) for step in range(80)]


def reading(slug: str, examination: Examination) -> SymptomReading:
    return next(entry for entry in read_all(examination) if entry.slug == slug)


def present(examination: Examination) -> set[str]:
    return {entry.slug for entry in read_all(examination) if entry.present == "yes"}


@pytest.mark.parametrize(
    ("values", "slugs"),
    [
        (FALLING, set()),
        (FLAT, {"loss-flat"}),
        (CLIMBING, {"loss-explodes"}),
        (SWINGING, {"loss-swings"}),
        (PLATEAU, {"loss-plateaus"}),
        (ALTERNATING, {"loss-swings"}),
    ],
    ids=["falling", "flat", "climbing", "swinging", "plateau", "alternating"],
)
def test_a_curve_shows_its_symptom(values: list[float], slugs: set[str]) -> None:
    found = present(curve(values)) & {"loss-flat", "loss-explodes", "loss-swings", "loss-plateaus"}
    assert found >= slugs
    if not slugs:
        assert found == set()


def test_a_falling_curve_is_cleared_with_numbers() -> None:
    entry = reading("loss-flat", curve(FALLING))
    assert entry.present == "no"
    assert entry.note == "loss 1.86 to 0.007485 (+99.6%)"


@pytest.mark.parametrize("values", [[], [1.0, 0.9]])
def test_a_curve_that_is_too_short_is_not_read(values: list[float]) -> None:
    for slug in ("loss-flat", "loss-swings", "loss-plateaus"):
        entry = reading(slug, curve(values))
        assert entry.present == "not-seen"
        assert entry.note


def test_nothing_is_seen_where_nothing_was_recorded() -> None:
    assert {entry.present for entry in read_all(Examination())} == {"not-seen"}
    assert all(entry.note for entry in read_all(Examination()))


def test_a_loss_that_is_not_finite_is_present_with_its_call() -> None:
    bad = Record("loss.nonfinite", 12, "train", 0.0, None, {"value": "nan"})
    entry = reading("loss-nan", Examination(records=(bad,), ran=True))
    assert entry.present == "yes"
    assert "12" in entry.note


def test_finite_losses_are_counted() -> None:
    entry = reading("loss-nan", curve(FALLING))
    assert entry.present == "no"
    assert "80" in entry.note


@pytest.mark.parametrize(
    ("message", "slug"),
    [
        ("mat1 and mat2 shapes cannot be multiplied (8x5 and 4x4)", "shape-mismatch"),
        ("The size of tensor a (3) must match the size of tensor b (4)", "shape-mismatch"),
        ("operands could not be broadcast together", "shape-mismatch"),
        ("Expected all tensors to be on the same device", "device-mismatch"),
        ("CUDA out of memory. Tried to allocate 2 GiB", "out-of-memory"),
        ("anything else", "crash"),
    ],
)
def test_an_exception_is_recognised_by_its_message(message: str, slug: str) -> None:
    assert slug in present(raised(message))
    assert "crash" in present(raised(message))
    assert reading(slug, curve(FALLING)).present == "no"


@pytest.mark.parametrize(("waiting", "shown"), [(0.9, "yes"), (0.1, "no")])
def test_slow_is_the_share_of_waiting_for_data(waiting: float, shown: str) -> None:
    split = {"data": 10 * waiting, "wall": 10.0, "updates": 1000}
    record = Record("time.split", 0, "train", 0.0, None, split)
    entry = reading("slow", Examination(records=(record,), ran=True))
    assert entry.present == shown
    assert f"{waiting:.0%} of 10.0 ms" in entry.note


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_curves_with_values_that_are_not_finite_are_still_read(value: float) -> None:
    for place in (0, 40, 79):
        values = [*FALLING]
        values[place] = value
        assert len(read_all(curve(values))) == 14
    assert "loss-flat" not in present(curve([value] * 80))
