"""Which axis of a model's input runs over samples that were drawn in random order.

A tensor made by indexing with an unsorted index, or collated by a shuffling DataLoader, has its
samples along a known axis. It is recognised by its storage and strides, so views of it are too.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any, Optional

MAX_ORIGINS = 64
MIN_ROWS = 3


@dataclass(frozen=True)
class Origin:
    """How the rows of a tensor came together."""

    serial: int
    """One number for each draw: equal for tensors of the same draw."""
    how: str
    stride: int
    """Stride of the axis that runs over the samples, in elements."""
    rows: int
    at: Optional[dict[str, Any]]
    source: Any
    """The gathered tensor, weakly."""


class RowOrigins:
    """Remembers the latest draws of rows."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._known: dict[int, Origin] = {}
        self._serial = 0

    def taken(self, index: Any, output: Any, at: Optional[dict[str, Any]]) -> None:
        """Note a tensor that was gathered along one axis by an index, behind whole axes only."""
        axis = 0
        if isinstance(index, tuple):
            whole = [isinstance(item, slice) and item == slice(None) for item in index]
            if whole.count(False) != 1:
                return
            axis = whole.index(False)
            index = index[axis]
        order = self._order(index)
        if order is None or output.dim() <= axis or int(output.shape[axis]) != len(order):
            return
        if not is_shuffled(order):
            return
        self._serial += 1
        self._note(output, f"an index in random order ({_start(order)} …)", at, axis)

    def batch(self, loader_iterator: Any, batch: Any) -> None:
        """Note the tensors of a DataLoader's batch if it was collated from shuffled samples."""
        sampler = getattr(loader_iterator, "_index_sampler", None)
        sampler = getattr(sampler, "sampler", sampler)
        if "Random" not in type(sampler).__name__:
            return
        collate = getattr(loader_iterator, "_collate_fn", None)
        if not getattr(collate, "__module__", "").startswith("torch.utils.data"):
            return
        self._serial += 1
        items = batch.values() if isinstance(batch, dict) else batch
        for value in items if isinstance(items, (list, tuple)) else [items]:
            if isinstance(value, self._torch.Tensor) and value.dim() >= 1:
                self._note(value, "a shuffling DataLoader", None)

    def _note(self, tensor: Any, how: str, at: Optional[dict[str, Any]], axis: int = 0) -> None:
        if len(self._known) >= MAX_ORIGINS:
            self._known.clear()
        self._known[_storage(tensor)] = Origin(
            self._serial,
            how,
            int(tensor.stride(axis)),
            int(tensor.shape[axis]),
            at,
            weakref.ref(tensor),
        )

    def of(self, tensor: Any) -> Optional[Origin]:
        """The draw that a tensor, or what it is a view of, comes from."""
        found = self._known.get(_storage(tensor))
        if found is None or (found.source() is None and tensor._base is None):
            return None
        return found

    def axis(self, tensor: Any) -> Optional[int]:
        """The axis of a tensor that runs over the drawn samples, or None."""
        origin = self.of(tensor)
        if origin is None:
            return None
        found = [
            axis
            for axis in range(tensor.dim())
            if int(tensor.shape[axis]) == origin.rows and tensor.stride(axis) == origin.stride
        ]
        return found[0] if len(found) == 1 else None

    def _order(self, index: Any) -> Optional[list[int]]:
        if isinstance(index, self._torch.Tensor):
            if index.dim() != 1 or index.dtype != self._torch.int64 or len(index) > 100_000:
                return None
            return list(index.tolist())
        if hasattr(index, "dtype") and getattr(index, "ndim", 0) == 1:
            return list(index.tolist()) if index.dtype.kind in "iu" else None
        if isinstance(index, list) and all(type(item) is int for item in index):
            return index
        return None


def is_shuffled(order: list[int]) -> bool:
    """Whether row numbers neither rise nor fall throughout, and follow no fixed stride."""
    if len(order) < MIN_ROWS:
        return False
    steps = [b - a for a, b in zip(order, order[1:])]
    rising = sum(step > 0 for step in steps)
    return 0 < rising < len(steps)


def _start(order: list[int]) -> str:
    return ", ".join(str(item) for item in order[:4])


def _storage(tensor: Any) -> int:
    return int(tensor.untyped_storage().data_ptr())
