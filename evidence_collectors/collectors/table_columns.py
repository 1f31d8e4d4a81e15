"""Columns of the user's tables at the lines that make tensors: marks, and float32's resolution."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.columns import marks
from evidence_collectors.locals_view import named_values
from evidence_collectors.named_tables import columns_of, is_table, tables_of

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_SITES = 40
MAX_FRAMES = 3
MAX_RECORDS = 24
MANTISSA_BITS = 23
"""Bits after the leading one of a float32 (IEEE 754)."""
COARSE = 256.0
"""Spread of a column in steps of its float32 grid below which it is recorded."""


class TableColumnCollector:
    """Looks, once a line, at the arrays that the frames around a tensor's creation can see."""

    name: ClassVar[str] = "table_columns"
    kinds: ClassVar[dict[str, str]] = {
        "table.marks": "name of a table in the user's frames, column label, the marks in it (see "
        "input.columns)",
        "column.resolution": "a float32 column whose spread is few steps of its own grid: name, "
        "label, rows, mean, std, step of the grid, distinct values, least difference in steps, "
        "distinct values of the float64 or integer source where it is known",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._lines: set[Any] = set()
        self._seen: set[Any] = set()
        self._records = 0

    def tensor_created(self, name: str, args: Any, output: Any, frame: Any) -> None:
        key = (frame.f_code, frame.f_lineno, name)
        torch = self._probe.torch
        if key in self._lines or len(self._lines) >= MAX_SITES or self._probe.backwards:
            return
        if not isinstance(output, torch.Tensor):
            return
        self._lines.add(key)
        place = self._probe.locate(frame)
        with torch.no_grad():
            source = args[0] if args else None
            if str(output.dtype) == "torch.float32" and is_table(source, torch):
                self._compare(torch, source, output, place)
            around, depth = frame, 0
            while around is not None and depth < MAX_FRAMES:
                for path, table in tables_of(named_values(around), torch):
                    self._look(torch, path, table, self._probe.locate(around))
                depth += 1
                around = self._probe.user_frame(around.f_back)

    def _look(self, torch: Any, path: str, table: Any, place: Any) -> None:
        key = (path, id(table))
        if key in self._seen:
            return
        self._seen.add(key)
        for label, dtype, column in columns_of(table, torch):
            found = marks(torch, column)
            if found is not None:
                self._write(
                    "table.marks",
                    {"name": path, "column": label, "dtype": dtype, "marks": found},
                    place,
                )
            if dtype == "float32":
                facts = resolution(torch, column)
                if facts is not None:
                    facts.update({"name": path, "column": label, "source_distinct": None})
                    self._write("column.resolution", facts, place)

    def _compare(self, torch: Any, source: Any, output: Any, place: Any) -> None:
        """Distinct values of each column before and after the conversion to float32."""
        if tuple(getattr(source, "shape", ())) != tuple(output.shape):
            return
        before = list(columns_of(source, torch))
        after = list(columns_of(output, torch))
        if len(before) != len(after):
            return
        for (label, dtype, wide), (_, _, narrow) in zip(before, after):
            if dtype in ("float64", "int64", "uint64", "int32", "uint32"):
                facts = resolution(torch, narrow)
                if facts is not None:
                    distinct = int(torch.unique(wide).numel())
                    facts.update({"name": "", "column": label, "source_distinct": distinct})
                    self._write("column.resolution", facts, place)

    def _write(self, kind: str, data: dict[str, Any], place: Any) -> None:
        if self._records < MAX_RECORDS:
            self._records += 1
            self._probe.record(kind, data, at=place)


def resolution(torch: Any, column: Any) -> Optional[dict[str, Any]]:
    """How a column (1-D float64 with float32 values) lies on its float32 grid; None if finely."""
    values = column[torch.isfinite(column)]
    if values.numel() == 0:
        return None
    greatest = float(values.abs().max())
    std = float(values.std(unbiased=False)) if values.numel() > 1 else 0.0
    if greatest == 0.0 or std == 0.0:
        return None
    step = 2.0 ** (math.floor(math.log2(greatest)) - MANTISSA_BITS)
    if std >= COARSE * step:
        return None
    distinct = torch.unique(values)
    least = float((distinct[1:] - distinct[:-1]).min()) if distinct.numel() > 1 else 0.0
    return {
        "rows": int(values.numel()),
        "mean": float(values.mean()),
        "std": std,
        "step": step,
        "distinct": int(distinct.numel()),
        "least_steps": least / step,
    }


COLLECTOR = TableColumnCollector
