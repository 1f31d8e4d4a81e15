"""Facts about the columns of a table of numbers: range, spread, and marks at the edges.

A mark is one value, repeated exactly, that lies far outside the range of all others, as -999 or
9999 do where they stand for "missing". The facts do not change under shifting and scaling a
column, so that a mark can be told in standardised inputs too.
"""

from __future__ import annotations

from typing import Any, Optional

MAX_COLUMNS = 256
MIN_COUNT = 3
"""A value that occurs less often is an outlier, not a mark."""
MIN_CORE = 8
"""Distinct values that the rest must have: fewer are codes, of which one may lie apart."""
MIN_GAP = 4.0
"""Distance of a mark from the nearest other value, in units of the others' whole range."""
MAX_MARKS = 2
"""Different marks at one end of a column (-999 for missing, -998 for below the limit)."""
MAX_SHARE = 0.6


def as_rows(values: Any) -> Optional[Any]:
    """A view [rows, columns] of a batch: features last, image channels on axis 1; None if empty."""
    if values.numel() == 0 or values.dim() == 0:
        return None
    if values.dim() == 1:
        return values.reshape(-1, 1)
    if values.dim() >= 4:
        values = values.movedim(1, -1)
    if values.shape[-1] > MAX_COLUMNS:
        return values.reshape(-1, values.shape[-1])[:, :MAX_COLUMNS]
    return values.reshape(-1, values.shape[-1])


def summary(torch: Any, column: Any) -> dict[str, Any]:
    """Count, range, mean, spread and distinct values of one column (1-D, float64)."""
    values = column[torch.isfinite(column)]
    if values.numel() == 0:
        return {"count": 0}
    return {
        "count": int(values.numel()),
        "min": float(values.min()),
        "max": float(values.max()),
        "mean": float(values.mean()),
        "std": float(values.std(unbiased=False)),
        "distinct": int(torch.unique(values).numel()),
    }


def marks(torch: Any, column: Any) -> Optional[dict[str, Any]]:
    """The marks at the edges of one column (1-D, float64), or None.

    `gap` is in units of the others' range, `rest_std` and `std` are the spread without the marks
    and with them.
    """
    values = column[torch.isfinite(column)]
    if values.numel() < MIN_COUNT + MIN_CORE:
        return None
    distinct, counts = torch.unique(values, return_counts=True)
    size = int(distinct.numel())
    for total in range(1, 2 * MAX_MARKS + 1):
        for low in range(max(0, total - MAX_MARKS), min(total, MAX_MARKS) + 1):
            found = _split(distinct, counts, low, size - (total - low))
            if found is not None:
                core = (values >= found["rest_min"]) & (values <= found["rest_max"])
                found["rest_std"] = float(values[core].std(unbiased=False))
                found["std"] = float(values.std(unbiased=False))
                return found
    return None


def _split(distinct: Any, counts: Any, first: int, last: int) -> Optional[dict[str, Any]]:
    """The marks if the values outside first .. last-1 all are marks of the rest."""
    if last - first < MIN_CORE:
        return None
    least, greatest = float(distinct[first]), float(distinct[last - 1])
    width = greatest - least
    outside = [*range(first), *range(last, int(distinct.numel()))]
    share = sum(int(counts[i]) for i in outside) / max(int(counts.sum()), 1)
    if width <= 0 or share > MAX_SHARE:
        return None
    gaps = [least - float(distinct[first - 1])] if first else []
    gaps += [float(distinct[last]) - greatest] if last < int(distinct.numel()) else []
    if min(gaps) < MIN_GAP * width or any(int(counts[i]) < MIN_COUNT for i in outside):
        return None
    return {
        "values": [{"value": float(distinct[i]), "count": int(counts[i])} for i in outside],
        "share": share,
        "gap": min(gaps) / width,
        "rest_min": least,
        "rest_max": greatest,
        "rest_distinct": last - first,
    }
