"""The cause `sentinel-values`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.assigned_names import assigned_at
from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import last_by_place
from diagnoser.rules.source_edits import replace_once
from diagnoser.schema import Edit, Location

WIDE_GAP = 10.0
"""Distance of a mark from all other values, in units of their whole range, that no measured
quantity shows; the logarithm of a small constant beside log-values stays below it."""
KNOWN_GAP = 4.0
"""The same where the value in the table is a customary mark (all nines, or the limit of a type)."""
SQUEEZED = 0.3
"""Spread of the column without its marks over that with them, from which the marks rule it."""
MIN_CALLS = 2
SAME_GAP = 0.05
"""A table's column and a model's are the same where the gaps agree within this share."""
LIMITS = frozenset(
    {1e20, 1e30, 1e33, 1e35, 1e36, 9.96920996838687e36, 32767.0, 32768.0, 65535.0, 2147483647.0}
    | {2147483648.0, 3.4028234663852886e38, 999.25}
)
"""Limits of number types and fill values (CF conventions, netCDF defaults, LAS null value)."""

FILLS = r"fillna|dropna|interpolate|nan_to_num|nanmedian|nanmean|isna|isnan|Imputer"
"""Calls by which a script deals with missing values once they are named."""


class SentinelValues(Rule):
    """A mark for a missing value, such as -999, is read as a number.

    What it detects:
        A column of what the model is given holds one exact value, or two, many times, far outside
        the range of all its other values.
    Why it breaks training:
        The mark rules the mean and the spread. After standardising, all real values lie in a
        thousandth of the column's range: the model cannot see them.
    Evidence:
        input.columns, loss.pairs: the marks, their share, the gap in units of the others' range,
        the spread with and without them; table.marks: the same in the user's tables, with the
        value and the column's name.
    Example:
        table = pd.read_csv("air.csv")               # -9999 where the sensor was off
    Use instead:
        table = pd.read_csv("air.csv", na_values=[-9999])
    Can be confused with:
        A real reading beside others like it, a code that is one-hot encoded, zeros in a column of
        amounts, clipped outliers.
    Verify:
        Print `table.describe()` and the most frequent values of each column.
    Prevent:
        Name the marks when the file is read, and assert each column's plausible range.
    References:
        pandas user guide, "Working with missing data"; CF conventions, section 2.5.1.
    """

    slug: ClassVar[str] = "sentinel-values"
    title: ClassVar[str] = "A mark for missing values is read as a number"
    category: ClassVar[str] = "numerical instability"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "loss-plateaus": -6,
        "underfitting": -4,
        "loss-nan": -10,
        "loss-explodes": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"-?9{3,}|missing (values?|marks?|data)|sentinel|placeholder", 10),
    )
    needs: ClassVar[tuple[str, ...]] = ("input.columns", "loss.pairs", "table.marks")
    fix_summary: ClassVar[str] = "Name the mark as a missing value when the data is read"
    prevention: ClassVar[str] = "Assert each column's plausible range right after reading."

    def weigh(self, examination: Examination) -> list[Finding]:
        inputs = last_by_place(examination, "input.columns")
        pairs = last_by_place(examination, "loss.pairs")
        if not inputs and not pairs:
            return [missing("no floating-point input of a model was seen")]
        findings = [
            self._read(record, record.data["target_marks"], examination)
            for record in pairs
            if record.data.get("target_marks")
        ]
        masked: list[Finding] = []
        for record in inputs:
            for column in record.data["columns"]:
                if not column.get("marks") or int(record.data["calls"]) < MIN_CALLS:
                    continue
                weight = column["marks"].get("weight") or {}
                if weight.get("masked"):
                    masked.append(self._masked(record, column))
                else:
                    findings.append(self._read(record, column, examination))
        if findings:
            return sorted(findings, key=lambda finding: -finding.decibans)[:3]
        if masked:
            return masked[:1]
        rows = sum(int(record.data["rows"]) for record in inputs)
        text = f"No column of {rows} input rows holds a repeated value far outside all others"
        return [silent(text, facts=[Fact("input.columns", text, inputs[0].at if inputs else None)])]

    @staticmethod
    def _masked(record: Record, column: Mapping[str, Any]) -> Finding:
        values = ", ".join(f"{entry['value']:.10g}" for entry in column["marks"]["values"])
        text = (
            f"Input column {column['column']} holds the mark {values}, but the model's result does "
            f"not depend on it there (gradient 0, elsewhere up to "
            f"{number(column['marks']['weight']['others']):.2g}): it is masked"
        )
        return silent(text, facts=[Fact("input.columns", text, record.at)])

    def _read(self, record: Record, column: Mapping[str, Any], examination: Examination) -> Finding:
        found = column["marks"]
        table = self._table(found, examination)
        told = found if table is None else table.data["marks"]
        values = ", ".join(f"{entry['value']:.10g}" for entry in told["values"])
        if table is None and record.kind == "loss.pairs":
            where = f"Target column {column['column']}"
        elif table is None:
            where = f"Input column {column['column']} of {record.data['model']}"
        else:
            where = f"Column {table.data['column']!r} of {table.data['name']}"
        squeeze = number(found["rest_std"]) / max(number(found["std"]), 1e-300)
        note = (
            f"{where} holds {values} in {number(told['share']):.1%} of its rows; all others lie "
            f"from {told['rest_min']:.4g} to {told['rest_max']:.4g}, the mark is "
            f"{number(told['gap']):.3g} times that range away"
        )
        if squeeze <= SQUEEZED:
            note += f", and without it the column's spread is {squeeze:.1%} of what it is with it"
        known = table is not None and all(_is_customary(e["value"]) for e in told["values"])
        wide = number(found["gap"]) >= (KNOWN_GAP if known else WIDE_GAP)
        certain = wide and squeeze <= SQUEEZED
        places: list[Location | None] = [record.at]
        if table is not None:
            source = assigned_at(examination.sources, str(table.data["name"]), table.at)
            places = [source, table.at, record.at]
        kind = record.kind if table is None else "table.marks"
        fact = Fact(kind, note, places[0], record.step, dict(told))
        weight = DECISIVE if certain else MODERATE
        return fired(weight, fact, note, places=places, direct=certain)

    @staticmethod
    def _table(found: Mapping[str, Any], examination: Examination) -> Record | None:
        """The user's table with the same marks before scaling: the earliest assigned of them."""
        same = [
            record
            for record in examination.of("table.marks")
            if len(record.data["marks"]["values"]) == len(found["values"])
            and abs(number(record.data["marks"]["gap"]) / number(found["gap"]) - 1) < SAME_GAP
        ]
        if not same:
            return None
        greatest = max(_largest(record) for record in same)
        same = [record for record in same if _largest(record) >= 0.99 * greatest]

        def line(record: Record) -> int:
            place = assigned_at(examination.sources, str(record.data["name"]), record.at)
            return place.line if place is not None else 1_000_000

        return min(same, key=line)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        """Name the marks in a plain `read_csv`, where the script deals with missing values."""
        for finding in findings:
            fact = finding.facts[0] if finding.facts else None
            if not finding.direct or fact is None or fact.kind != "table.marks" or fact.at is None:
                continue
            text = source.text(fact.at.file) or ""
            line = source.line(fact.at.file, fact.at.line)
            if "na_values" in line or not re.search(FILLS, text):
                continue
            values = ", ".join(f"{entry['value']:.10g}" for entry in fact.data["values"])
            edit = replace_once(
                source,
                fact.at,
                r"(read_csv\([^()]+)\)",
                rf"\1, na_values=[{values}])",
                self.slug,
            )
            if edit is not None:
                return [edit]
        return []


def _largest(record: Record) -> float:
    return max(abs(number(entry["value"])) for entry in record.data["marks"]["values"])


def _is_customary(value: float) -> bool:
    """All nines (99, -999, 9999.99) or the limit of a type."""
    size = abs(float(value))
    digits = f"{size:.6f}".rstrip("0").replace(".", "")
    return size in LIMITS or (len(digits) >= 2 and set(digits) == {"9"})
