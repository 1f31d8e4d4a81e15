"""What one position of a sequence moves, and how integer or float targets relate to the inputs."""

from __future__ import annotations

from typing import Any, Optional

from evidence_collectors.reruns.call_trace import Trace, with_tensors
from evidence_collectors.reruns.samples import moved_along

MIN_POSITIONS = 4
LEAK = 1e-4
"""Share of the greatest change from which an earlier position counts as moved."""
_MIXING = frozenset(
    {"softmax", "_softmax", "scaled_dot_product_attention", "multi_head_attention_forward"}
)


def relation(torch: Any, inputs: Any, target: Any, ignored: Any) -> Optional[dict[str, Any]]:
    """Share of targets that equal the input at their position and at the next one.

    Shapes: inputs [B, T] (or [T, B], or one-hot [B, T, V]); targets the same or flattened, or one
    position shorter.
    """
    values = inputs.detach()
    wanted = target.detach()
    if not wanted.is_floating_point() and values.is_floating_point() and values.dim() == 3:
        one_hot = bool(((values == 0) | (values == 1)).all()) and bool((values.sum(-1) == 1).all())
        if not one_hot:
            return None
        values = values.argmax(-1)
    if wanted.is_floating_point() != values.is_floating_point():
        return None
    if wanted.is_floating_point():
        values, wanted = _squeezed(values), _squeezed(wanted)
    if values.dim() != 2 or min(values.shape) < 1 or max(values.shape) < MIN_POSITIONS:
        return None
    best = None
    for axis in (1, 0):
        if int(values.shape[axis]) < MIN_POSITIONS:
            continue
        found = _along(torch, values, wanted, axis, ignored)
        if found is not None:
            score = max(found["same"], found["next"])
            if best is None or score > max(best["same"], best["next"]):
                best = found
    return best


def _squeezed(tensor: Any) -> Any:
    return tensor[..., 0] if tensor.dim() == 3 and int(tensor.shape[-1]) == 1 else tensor


def _along(torch: Any, values: Any, wanted: Any, axis: int, ignored: Any) -> Any:
    count = int(values.shape[axis])
    shorter = list(values.shape)
    shorter[axis] = count - 1
    if wanted.numel() == values.numel():
        target, offset = wanted.reshape(values.shape), 0
    elif wanted.numel() == values.numel() // count * (count - 1):
        target, offset = wanted.reshape(shorter), 1
    else:
        return None
    if int(target.unique().numel()) < MIN_POSITIONS - 1:
        return None
    tail = values.narrow(axis, 1, count - 1)
    head = values.narrow(axis, 0, count - 1)
    if offset:
        return {
            "axis": axis,
            "same": _share(torch, head, target, ignored),
            "next": _share(torch, tail, target, ignored),
            "shorter": True,
        }
    return {
        "axis": axis,
        "same": _share(torch, values, target, ignored),
        "next": _share(torch, tail, target.narrow(axis, 0, count - 1), ignored),
        "shorter": False,
    }


def _share(torch: Any, values: Any, target: Any, ignored: Any) -> float:
    equal = values == target
    if ignored is not None and not target.is_floating_point():
        counted = target != ignored
        if not bool(counted.any()):
            return 0.0
        equal = equal[counted]
    return float(equal.double().mean())


def changed_at(torch: Any, chosen: Any, axis: int, position: int, args: Any, kwargs: Any) -> Any:
    """The arguments with one position of one input replaced by other values of that input."""

    def change(tensor: Any) -> Any:
        if tensor is not chosen:
            return tensor
        made = tensor.detach().clone()
        old = tensor.detach().select(axis, position)
        new = old
        for step in range(1, int(tensor.shape[axis])):
            other = tensor.detach().select(axis, (position + step) % int(tensor.shape[axis]))
            new = torch.where(new == old, other, new)
            if bool((new != old).all()):
                break
        made.select(axis, position).copy_(new)
        return made

    return with_tensors(torch, args, kwargs, change)


def time_axis(output: Any, shape: Any, axis: int) -> Any:
    """The output as [samples' and time axis as in the input, rest], or None."""
    sizes = [int(size) for size in shape[:2]]
    if list(output.shape[:2]) == sizes:
        return output
    if output.dim() == 3 and [int(output.shape[0]), int(output.shape[2])] == sizes:
        return output.transpose(1, 2)
    if output.dim() == 2 and int(output.shape[0]) == sizes[0] * sizes[1]:
        return output.reshape(*sizes, -1)
    return None


def causality(
    torch: Any, before: Trace, after: Trace, outputs: Any, shape: Any, axis: int, position: int
) -> Optional[dict[str, Any]]:
    """How far outputs before, at and after a changed position moved; where the past first did."""
    old, new = (time_axis(output, shape, axis) for output in outputs)
    if old is None or new is None:
        return None
    changes = moved_along(torch, old, new, axis)
    if changes is None or max(changes) == 0:
        return None
    top = max(changes)
    earlier = max(changes[:position], default=0.0)
    return {
        "position": position,
        "positions": len(changes),
        "earlier_change": earlier,
        "own_change": changes[position],
        "later_change": max(changes[position + 1 :], default=0.0),
        "earlier_moved": sum(change > LEAK * top for change in changes[:position]),
        "leak_at": _leak(torch, before, after, len(changes), position) if earlier else None,
    }


def _leak(torch: Any, before: Trace, after: Trace, count: int, position: int) -> Any:
    """The user's line of the first attention whose earlier rows moved."""
    if len(before.operations) != len(after.operations):
        return None
    for old, new in zip(before.operations, after.operations):
        if old.name not in _MIXING or old.name != new.name:
            continue
        made = [
            value[0] if isinstance(value, tuple) else value for value in (old.output, new.output)
        ]
        if made[0].dim() < 2:
            continue
        axes = [axis for axis in range(made[0].dim()) if int(made[0].shape[axis]) == count]
        if old.name in ("softmax", "_softmax"):
            axes = [axis for axis in axes if axis == made[0].dim() - 2]
        for axis in axes:
            changes = moved_along(torch, made[0], made[1], axis)
            if changes is not None and max(changes[:position], default=0.0) > 0:
                return old.at
    return None
