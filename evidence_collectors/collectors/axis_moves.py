"""Reshapes after which an axis of the same size stands elsewhere although no value was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Sequence

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_RECORDS = 20
MIN_SIZE = 3


class AxisMoveCollector:
    """Records each line whose view or reshape gives an axis another stride in reading order."""

    name: ClassVar[str] = "axis_moves"
    kinds: ClassVar[dict[str, str]] = {
        "axes.moved": "a view or reshape whose result has an axis of the same size as its source "
        "but with another stride in reading order: both shapes, sizes moved, whether the result "
        "is a permutation of the sizes, whether gradients pass and values vary",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._seen: set[Any] = set()

    def reshaped(self, source: Any, output: Any, frame: Any) -> None:
        key = (frame.f_code, frame.f_lasti)
        if key in self._seen or len(self._seen) > MAX_RECORDS:
            return
        old, new = tuple(source.shape), tuple(output.shape)
        moved = moved_sizes(old, new)
        if not moved:
            return
        self._seen.add(key)
        self._probe.record(
            "axes.moved",
            {
                "from": list(old),
                "to": list(new),
                "moved": moved,
                "permuted": sorted(s for s in old if s > 1) == sorted(s for s in new if s > 1),
                "floating": bool(source.is_floating_point()),
                "differentiable": bool(source.requires_grad),
                "varied": self._varies(source),
            },
            at=self._probe.locate(frame),
        )

    @staticmethod
    def _varies(source: Any) -> bool:
        values = source.detach().reshape(-1)[:1000]
        return bool((values != values[:1]).any())


def moved_sizes(old: Sequence[int], new: Sequence[int]) -> list[int]:
    """Sizes that both shapes have equally often, but at other strides; [] for merges and splits.

    >>> moved_sizes((12, 12, 3), (3, 12, 12))
    [3, 12]
    >>> moved_sizes((8, 10, 64), (8, 10, 4, 16))
    []
    """
    before, after = _strides(old), _strides(new)
    moved: list[int] = []
    for size in sorted(set(before) & set(after)):
        as_often = size >= MIN_SIZE and len(before[size]) == len(after[size])
        if as_often and before[size] != after[size]:
            moved.append(size)
    return moved


def _strides(shape: Sequence[int]) -> dict[int, list[int]]:
    """For each size above one, the strides of its axes in a tensor that is read row by row."""
    found: dict[int, list[int]] = {}
    stride = 1
    for size in reversed([int(size) for size in shape]):
        if size > 1:
            found.setdefault(size, []).append(stride)
        stride *= size
    return {size: sorted(strides) for size, strides in found.items()}


COLLECTOR = AxisMoveCollector
