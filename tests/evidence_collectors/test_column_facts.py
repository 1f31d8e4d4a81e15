"""Column facts against a slow, obvious computation."""

from __future__ import annotations

import random

import pytest
import torch

from evidence_collectors.collectors.table_columns import resolution
from evidence_collectors.columns import as_rows, marks, summary


def column(values: list[float]) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


def readings(count: int) -> list[float]:
    chance = random.Random(3)
    return [round(chance.uniform(2.0, 90.0), 1) for _ in range(count)]


def test_the_summary_is_what_python_computes() -> None:
    values = readings(200)
    mean = sum(values) / 200
    spread = (sum((value - mean) ** 2 for value in values) / 200) ** 0.5
    found = summary(torch, column([*values, float("nan"), float("inf")]))
    assert found["count"] == 200
    assert (found["min"], found["max"]) == (min(values), max(values))
    assert found["mean"] == pytest.approx(mean)
    assert found["std"] == pytest.approx(spread)
    assert found["distinct"] == len(set(values))


def test_a_mark_is_found_with_its_count_gap_and_the_spread_without_it() -> None:
    values = readings(100)
    found = marks(torch, column([*values, *[-999.0] * 7]))
    assert found is not None
    assert found["values"] == [{"value": -999.0, "count": 7}]
    assert found["share"] == pytest.approx(7 / 107)
    assert found["gap"] == pytest.approx((min(values) + 999.0) / (max(values) - min(values)))
    mean = sum(values) / 100
    spread = (sum((value - mean) ** 2 for value in values) / 100) ** 0.5
    assert found["rest_std"] == pytest.approx(spread)


def test_marks_on_both_sides_are_found_together() -> None:
    found = marks(torch, column([*readings(100), *[-9999.0] * 5, *[9999.0] * 4]))
    assert found is not None
    assert [entry["value"] for entry in found["values"]] == [-9999.0, 9999.0]


def test_the_gap_does_not_change_with_standardising() -> None:
    raw = column([*readings(100), *[-999.0] * 7])
    scaled = (raw - raw.mean()) / raw.std()
    before, after = marks(torch, raw), marks(torch, scaled)
    assert before is not None and after is not None
    assert after["gap"] == pytest.approx(before["gap"])


@pytest.mark.parametrize(
    "values",
    [
        [*readings(100), -999.0, -999.0],
        [*readings(100), *[-400.0 - step for step in range(20)]],
        [0.0] * 60 + [1.0] * 40,
        [0.0] * 50 + readings(50),
        [-1.0] * 30 + [float(code) for code in range(4)] * 20,
        readings(100),
    ],
    ids=["twice only", "many readings", "one-hot", "zeros", "codes", "plain"],
)
def test_silent_on_columns_without_a_mark(values: list[float]) -> None:
    assert marks(torch, column(values)) is None


def test_image_channels_become_columns() -> None:
    rows = as_rows(torch.arange(24.0).reshape(2, 3, 2, 2))
    assert rows is not None
    assert rows.shape == (8, 3)
    assert rows[:, 1].tolist() == [4.0, 5.0, 6.0, 7.0, 16.0, 17.0, 18.0, 19.0]


def test_the_grid_of_a_large_offset_is_told_in_steps() -> None:
    exact = [1_718_000_000 + 7 * step for step in range(500)]
    kept = torch.tensor(exact, dtype=torch.float64).float().double()
    found = resolution(torch, kept)
    assert found is not None
    assert found["step"] == 128.0
    assert found["distinct"] == len(set(kept.tolist()))
    assert found["least_steps"] == 1.0


def test_silent_on_a_column_that_is_fine_on_its_grid() -> None:
    assert resolution(torch, column(readings(100))) is None
