"""The cause `large-offset-precision`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.assigned_names import assigned_at
from diagnoser.rules.base import DECISIVE, MODERATE, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import place_text

COARSE = 64.0
"""Spread of a column in steps of its float32 grid from which rounding is 1 % of the signal."""
KEPT = 0.5
"""Share of the distinct values that is left, at most."""
WHOLE = 2.0
"""From this step on (2**24) not even neighbouring whole numbers can be told apart, so that a column
which uses each step of the grid must have been rounded to it."""


class LargeOffsetPrecision(Rule):
    """A large offset uses up float32's digits, and the differences that matter are rounded away.

    What it detects:
        A float32 column whose spread is only a few steps of the float32 grid at its magnitude, with
        far fewer distinct values than its source (or rows) had.
    Why it breaks training:
        float32 holds 24 bits. At 1.7e9 seconds its step is 128 s, at 5.4e6 metres 0.5 m. Taking the
        offset off afterwards brings nothing back.
    Evidence:
        column.resolution: the step of the grid, the spread, distinct values before and after.
    Example:
        x = torch.tensor(utm, dtype=torch.float32) - origin
    Use instead:
        x = torch.tensor(utm - origin, dtype=torch.float32)      # subtracted in float64
    Can be confused with:
        Values that are coarse at their source, such as years or whole hours.
    Verify:
        Compare `np.unique(x).size` before and after the conversion.
    Prevent:
        Subtract the offset in float64 (or int64) before anything becomes float32.
    References:
        Goldberg, "What every computer scientist should know about floating-point arithmetic"
        (1991); IEEE 754.
    """

    slug: ClassVar[str] = "large-offset-precision"
    title: ClassVar[str] = "A large offset takes float32's digits"
    category: ClassVar[str] = "numerical instability"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -7,
        "loss-plateaus": -6,
        "underfitting": -5,
    }
    needs: ClassVar[tuple[str, ...]] = ("column.resolution", "tensor.origin")
    fix_summary: ClassVar[str] = "Subtract the offset in float64 before converting to float32"
    prevention: ClassVar[str] = "Compare the number of distinct values before and after converting."

    def weigh(self, examination: Examination) -> list[Finding]:
        columns = examination.of("column.resolution")
        findings = [f for f in (self._read(r, examination) for r in columns) if f is not None]
        if findings:
            return sorted(findings, key=lambda finding: -finding.decibans)[:2]
        if not columns and not examination.of("tensor.origin"):
            return [missing("no line that makes a tensor was seen")]
        return [silent("no float32 column was seen whose spread is only a few steps of its grid")]

    @staticmethod
    def _read(record: Record, examination: Examination) -> Finding | None:
        data = record.data
        step, std = number(data["step"]), number(data["std"])
        distinct, rows = int(data["distinct"]), int(data["rows"])
        source = data.get("source_distinct")
        if std >= COARSE * step:
            return None
        before = rows if source is None else int(source)
        if distinct > KEPT * before:
            return None
        name = data.get("name") or "the tensor made"
        note = (
            f"Column {data['column']} of {name} at {place_text(record.at)} is about "
            f"{data['mean']:.9g} in float32, whose step there is {step:g}; its spread is "
            f"{std:.4g}, and {distinct} distinct values are left of "
            f"{before} {'rows' if source is None else 'before the conversion'}"
        )
        exhausted = step >= WHOLE and number(data["least_steps"]) <= 2.0
        certain = source is not None or exhausted
        place = assigned_at(examination.sources, str(data.get("name", "")), record.at)
        fact = Fact("column.resolution", note, place or record.at, record.step, dict(data))
        weight = DECISIVE if certain else MODERATE
        return fired(weight, fact, note, places=[place, record.at], direct=certain)
