"""Arrays, data frames and tensors that the user's frames can see, as columns of numbers.

NumPy and pandas are never imported here: their objects are known by what they offer.
"""

from __future__ import annotations

from typing import Any, Iterator, Optional

MAX_ELEMENTS = 2_000_000
MAX_ROWS = 20_000
"""Rows of a column that are looked at; longer ones are read in strides."""
MIN_ROWS = 20
MAX_COLUMNS = 64
MAX_TABLES = 24
_NUMBERS = "iuf"


def tables_of(names: dict[str, Any], torch: Any) -> Iterator[tuple[str, Any]]:
    """Name and object of each table among a frame's names, and one level below `self`."""
    count = 0
    for name, value in names.items():
        inner = [(name, value)]
        if name == "self" and hasattr(value, "__dict__"):
            inner = [(f"self.{key}", kept) for key, kept in list(vars(value).items())]
        for path, table in inner:
            if is_table(table, torch):
                count += 1
                if count > MAX_TABLES:
                    return
                yield path, table


def is_table(value: Any, torch: Any) -> bool:
    """Whether a value is an array, a tensor, a data frame or a series of a fit size."""
    try:
        if isinstance(value, torch.Tensor):
            return bool(
                not value.is_complex()
                and value.layout == torch.strided
                and value.dim() >= 1
                and value.shape[0] >= MIN_ROWS
                and value.numel() <= MAX_ELEMENTS
            )
        if _is_of(value, "numpy") and hasattr(value, "ndim"):
            return (
                value.dtype.kind in _NUMBERS
                and 1 <= value.ndim <= 2
                and len(value) >= MIN_ROWS
                and value.size <= MAX_ELEMENTS
            )
        if _is_of(value, "pandas") and hasattr(value, "iloc"):
            return bool(len(value) >= MIN_ROWS and value.size <= MAX_ELEMENTS)
    except Exception:
        return False
    return False


def _is_of(value: Any, package: str) -> bool:
    """Whether a class comes from a package; a user's own attributes are never asked for."""
    return str(type(value).__module__).partition(".")[0] == package


def columns_of(value: Any, torch: Any) -> Iterator[tuple[str, str, Any]]:
    """Label, dtype and values (1-D float64 tensor on the CPU) of each numeric column."""
    if isinstance(value, torch.Tensor):
        yield from _of_tensor(value.detach(), str(value.dtype).replace("torch.", ""), torch)
    elif _is_of(value, "pandas"):
        for label, series in _of_frame(value):
            array = series.to_numpy()
            if getattr(array.dtype, "kind", "") in _NUMBERS:
                yield str(label), str(array.dtype), _tensor(array, torch)
    else:
        columns = value.reshape(len(value), -1)
        for index in range(min(columns.shape[1], MAX_COLUMNS)):
            yield str(index), str(value.dtype), _tensor(columns[:, index], torch)


def _of_frame(value: Any) -> list[tuple[Any, Any]]:
    labels: Optional[Any] = getattr(value, "columns", None)
    if labels is None:
        return [(getattr(value, "name", None) or 0, value)]
    return [(labels[place], value.iloc[:, place]) for place in range(min(len(labels), MAX_COLUMNS))]


def _of_tensor(value: Any, dtype: str, torch: Any) -> Iterator[tuple[str, str, Any]]:
    if value.dim() > 2:
        return
    columns = value.reshape(len(value), -1)
    step = max(1, len(columns) // MAX_ROWS)
    for index in range(min(columns.shape[1], MAX_COLUMNS)):
        yield str(index), dtype, columns[::step, index].to("cpu", torch.float64)


def _tensor(array: Any, torch: Any) -> Any:
    step = max(1, len(array) // MAX_ROWS)
    return torch.as_tensor(array[::step].astype("float64"))
