"""Small readings that several rules share."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import Any

from diagnoser.rules.examination import Examination, Record, number
from diagnoser.schema import Location

HEALTHY_RATIO = 1e-3
"""Update-to-weight ratio of a run that learns well (CS231n, "Ratio of weights to updates")."""


def last_by_place(examination: Examination, kind: str, key: str = "") -> list[Record]:
    """The last record of a kind for each place (`at`, or a place in the data), in first order."""
    found: dict[Any, Record] = {}
    for record in examination.of(kind):
        place = record.data.get(key) if key else None
        if key and isinstance(place, dict):
            mark: Any = (place.get("file"), place.get("line"), record.data.get("optimizer"))
        else:
            mark = (record.at.file, record.at.line) if record.at is not None else None
        found[mark] = record
    return list(found.values())


def update_ratios(examination: Examination) -> list[float]:
    """|update| / |weight| of each update looked at, finite ones only."""
    found = [number(record.data.get("ratio")) for record in examination.of("update.ratio")]
    return [ratio for ratio in found if math.isfinite(ratio)]


def place_text(place: Location | None) -> str:
    """`train.py:31`, with the file's name only."""
    return "" if place is None else f"{PurePath(place.file).name}:{place.line}"


def shape_text(shape: Any) -> str:
    """`[32, 10]`."""
    return "[" + ", ".join(str(size) for size in shape or ()) + "]"
