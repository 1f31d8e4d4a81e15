"""What one sample of a batch moves: other samples' outputs, softmax axes, layers' time axes.

Sample i is replaced by the content of another sample in every input, so that what goes in stays of
the kind that the model knows. Differences then show along which axis of any intermediate tensor the
samples lie.
"""

from __future__ import annotations

from typing import Any, Optional

from evidence_collectors.reruns.call_trace import Trace, with_tensors

MIN_SAMPLES = 3
MOVED = 1e-5
"""Share of the greatest change that counts as moved."""
ROUNDING = 3e-6
"""Changes below this share of a tensor's greatest value are rounding (float32 resolves 1e-7, and a
sum of some hundred terms loses one digit)."""


def replaced(torch: Any, axes: dict[int, int], args: Any, kwargs: Any, i: int, j: int) -> Any:
    """The arguments with sample i overwritten by sample j; `axes` maps id of tensor to its axis."""

    def change(tensor: Any) -> Any:
        axis = axes.get(id(tensor))
        if axis is None:
            return tensor
        made = tensor.detach().clone()
        made.select(axis, i).copy_(tensor.detach().select(axis, j))
        return made

    return with_tensors(torch, args, kwargs, change)


def sample_axes(tensors: list[Any], axis: int, first: Any) -> dict[int, int]:
    """The axis of the samples for each input: that of the first, where the size is the same."""
    count = int(first.shape[axis])
    found = {}
    for tensor in tensors:
        if tensor.dim() > axis and int(tensor.shape[axis]) == count:
            found[id(tensor)] = axis
    return found


def moved_along(torch: Any, before: Any, after: Any, axis: int) -> Optional[list[float]]:
    """Greatest change at each index of an axis; None if the two cannot be compared."""
    if tuple(before.shape) != tuple(after.shape) or axis >= before.dim():
        return None
    if before.shape[axis] == 0 or before.numel() == 0:
        return None
    change = (after.detach().double() - before.detach().double()).abs()
    change = torch.where(before == after, torch.zeros_like(change), change)
    change = torch.nan_to_num(change, nan=0.0, posinf=1e300)
    finite = before.detach()[torch.isfinite(before)] if before.is_floating_point() else None
    if finite is not None and finite.numel():
        change[change < ROUNDING * float(finite.abs().max())] = 0.0
    flat = change.movedim(axis, 0).reshape(before.shape[axis], -1)
    return [float(value) for value in flat.amax(1)]


def indices_moved(changes: list[float]) -> list[int]:
    """Indices whose change is more than rounding beside the greatest one."""
    top = max(changes, default=0.0)
    return [index for index, change in enumerate(changes) if top > 0 and change > MOVED * top]


def axis_of_sample(torch: Any, before: Any, after: Any, count: int, i: int) -> Optional[int]:
    """The only axis of an intermediate tensor along which nothing but index i has moved."""
    found = []
    for axis in range(before.dim()):
        if int(before.shape[axis]) != count:
            continue
        changes = moved_along(torch, before, after, axis)
        if changes is not None and indices_moved(changes) == [i]:
            found.append(axis)
    return found[0] if len(found) == 1 else None


def output_facts(torch: Any, before: Any, after: Any, count: int, i: int) -> Any:
    """Which samples' outputs moved when sample i was replaced; None without a samples' axis."""
    if before is None or after is None or before.dim() < 1:
        return None
    axis = 0 if int(before.shape[0]) == count else None
    if axis is None:
        return None
    changes = moved_along(torch, before, after, axis)
    if changes is None:
        return None
    moved = indices_moved(changes)
    others = [index for index in moved if index != i]
    spread = float(before.detach().double().std()) if before.numel() > 1 else 0.0
    return {
        "samples": count,
        "replaced": i,
        "own_moved": i in moved,
        "own_change": changes[i],
        "others_moved": len(others),
        "others_change": max((changes[index] for index in others), default=0.0),
        "earlier_moved": sum(index < i for index in others),
        "spread": spread,
        "output": list(before.shape),
    }


def softmaxes(torch: Any, before: Trace, after: Trace, count: int, i: int) -> list[dict[str, Any]]:
    """Axis of each softmax, the axis that runs over the samples, and the axis summed afterwards."""
    if len(before.operations) != len(after.operations):
        return []
    found = []
    for index, (old, new) in enumerate(zip(before.operations, after.operations)):
        if old.name not in ("softmax", "_softmax", "log_softmax") or old.name != new.name:
            continue
        source, made = old.args[0] if old.args else None, old.output
        if not isinstance(source, torch.Tensor) or made.dim() < 2:
            continue
        axis = _axis(old, made.dim())
        if axis is None:
            continue
        found.append(
            {
                "function": old.name,
                "axis": axis,
                "shape": list(made.shape),
                "samples_axis": axis_of_sample(torch, source, new.args[0], count, i),
                "summed_axis": _summed(torch, before, index),
                "is_output": _same_storage(before.output, made),
                "at": old.at,
            }
        )
    return found


def _axis(operation: Any, dims: int) -> Optional[int]:
    dim = operation.kwargs.get("dim", operation.args[1] if len(operation.args) > 1 else None)
    return int(dim) % dims if type(dim) is int else None


def _same_storage(output: Any, tensor: Any) -> bool:
    pointer = getattr(output, "data_ptr", None)
    return pointer is not None and int(pointer()) == int(tensor.data_ptr())


_PASSING = frozenset({"dropout", "contiguous", "clone", "to", "float", "masked_fill"})


def _summed(torch: Any, trace: Trace, index: int) -> Optional[int]:
    """The axis of a softmax's output over which the weighted sum that follows runs."""
    weights = trace.operations[index].output
    product: Any = None
    for operation in trace.operations[index + 1 :]:
        if product is not None and operation.name in ("sum", "mean"):
            source = operation.args[0] if operation.args else None
            if source is product[0]:
                dim = operation.kwargs.get("dim", operation.args[1:2] and operation.args[1])
                dim = dim[0] if isinstance(dim, (tuple, list)) and len(dim) == 1 else dim
                if type(dim) is not int:
                    return None
                own = dim % source.dim() - (source.dim() - product[1].dim())
                return _mapped(weights, product[1], own) if own >= 0 else None
        operands = [value for value in operation.args if isinstance(value, torch.Tensor)]
        if operation.name == "einsum":
            flat = operation.args[1:]
            if len(flat) == 1 and isinstance(flat[0], (tuple, list)):
                flat = flat[0]
            operands = list(flat)
        places = [k for k, value in enumerate(operands) if _is_view(weights, value)]
        if len(places) != 1:
            continue
        operand = operands[places[0]]
        if operation.name in _PASSING and tuple(operation.output.shape) == tuple(operand.shape):
            weights = operation.output if operand is weights else weights
        elif operation.name == "einsum":
            return _mapped(weights, operand, _einsum_axis(operation.args[0], places[0]))
        elif operation.name in ("matmul", "__matmul__", "bmm", "mm"):
            left = places[0] == 0
            own = operand.dim() - 1 if left else max(operand.dim() - 2, 0)
            return _mapped(weights, operand, own)
        elif operation.name in ("mul", "__mul__", "__rmul__", "multiply"):
            product = (operation.output, operand)
    return None


def _is_view(weights: Any, value: Any) -> bool:
    return value is weights or (
        (hasattr(value, "data_ptr") and value.data_ptr() == weights.data_ptr())
        and value.numel() >= weights.numel()
    )


def _mapped(weights: Any, view: Any, axis: Optional[int]) -> Optional[int]:
    """The axis of the weights that an axis of a view of them is, by size and stride."""
    if axis is None or axis >= view.dim():
        return None
    mark = (int(view.shape[axis]), int(view.stride(axis)))
    found = [
        own
        for own in range(weights.dim())
        if (int(weights.shape[own]), int(weights.stride(own))) == mark
    ]
    return found[0] if len(found) == 1 else None


def _einsum_axis(equation: Any, operand: int) -> Optional[int]:
    if not isinstance(equation, str) or "->" not in equation or "." in equation:
        return None
    inputs, result = equation.replace(" ", "").split("->")
    letters = inputs.split(",")[operand]
    summed = [k for k, letter in enumerate(letters) if letter not in result]
    return summed[0] if len(summed) == 1 else None
