"""Where sequences of different length were filled up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

MIN_LENGTHS = 3
"""Different lengths in a batch from which a constant end is filling and not a fixed horizon."""
MIN_SHARE = 0.03


@dataclass(frozen=True)
class Padding:
    """The filled positions of a batch of sequences."""

    mask: Any
    """True at the filling, [samples, positions]."""
    value: float
    side: str


def find_padding(torch: Any, tensor: Any) -> Optional[Padding]:
    """The filling of a batch [samples, positions] or [samples, positions, features], if there is.

    One value ends (or begins) rows by runs of different length and stands nowhere else.
    """
    values = tensor.detach()
    if values.dim() == 3 and values.is_floating_point():
        flat = values.reshape(values.shape[0], values.shape[1], -1)
        if not bool((flat[:, -1:] == flat[:, -1:, :1]).all(-1).any()):
            flat = flat.flip(1)
        same = (flat == flat[..., :1]).all(-1)
        values = torch.where(same, values[..., 0], torch.full_like(values[..., 0], float("nan")))
    if values.dim() != 2 or values.dtype == torch.bool or values.is_complex():
        return None
    rows, width = int(values.shape[0]), int(values.shape[1])
    if rows < MIN_LENGTHS or width < MIN_LENGTHS:
        return None
    for side, edge in (("end", values[:, -1]), ("begin", values[:, 0])):
        value, count = _commonest(torch, edge)
        if count < 2:
            continue
        mask = values == value
        runs = _run(torch, mask.flip(1) if side == "end" else mask)
        counts = mask.sum(1)
        shares = float(mask.double().mean())
        lengths = len(set(counts.tolist()))
        if bool((runs == counts).all()) and lengths >= MIN_LENGTHS and shares >= MIN_SHARE:
            if int(counts.max()) < 2 or int(counts.min()) == width:
                continue
            return Padding(mask, float(value), side)
    return None


def _commonest(torch: Any, values: Any) -> tuple[Any, int]:
    found, counts = torch.unique(values, return_counts=True)
    best = int(counts.argmax())
    return found[best], int(counts[best])


def _run(torch: Any, mask: Any) -> Any:
    """Length of the run of True at the start of each row."""
    return mask.long().cumprod(1).sum(1)
