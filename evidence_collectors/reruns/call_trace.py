"""The operators of one repeated model call, with their inputs, outputs and user lines."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from evidence_collectors.operator_mode import OperatorMode

MAX_CALLS = 4000
MAX_ELEMENTS = 4_000_000
"""Larger tensors are not kept for comparison."""
KEPT = frozenset(
    {"softmax", "_softmax", "log_softmax", "softmin", "matmul", "__matmul__", "__rmatmul__"}
    | {"bmm", "mm", "einsum", "mul", "__mul__", "__rmul__", "multiply", "sum", "mean"}
    | {"scaled_dot_product_attention", "multi_head_attention_forward", "masked_fill", "where"}
    | {"masked_fill_", "dropout", "contiguous", "clone", "to", "float"}
)


@dataclass
class Operation:
    """One operator call of the copy."""

    name: str
    args: Any
    kwargs: dict[str, Any]
    output: Any
    at: Optional[dict[str, Any]]


@dataclass
class Trace:
    """What one call of the copy computed on its way."""

    output: Any = None
    operations: list[Operation] = field(default_factory=list)
    calls: int = 0


def trace(probe: Any, run: Callable[[], Any]) -> Trace:
    """Run a call of the copy and keep the operators that readers ask about.

    The user's own modes wait outside; torch's (a default device) stay.
    """
    torch = probe.torch
    seen = Trace()

    def wrap(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        result = func(*args, **kwargs)
        seen.calls += 1
        name = getattr(func, "__name__", "")
        if name in KEPT and len(seen.operations) < MAX_CALLS:
            if isinstance(result, torch.Tensor) and result.numel() > MAX_ELEMENTS:
                return result
            place = probe.locate(sys._getframe(1))
            seen.operations.append(Operation(name, args, kwargs, result, place))
        return result

    current = torch.overrides._get_current_function_mode_stack
    stack = list(current())
    for _ in stack:
        torch.overrides._pop_mode()
    kept = [mode for mode in stack if type(mode).__module__.startswith("torch.utils")]
    for mode in kept:
        torch.overrides._push_mode(mode)
    mode = OperatorMode(torch, wrap)
    try:
        seen.output = run()
    finally:
        mode.remove()
        for _ in list(current()):
            torch.overrides._pop_mode()
        for entry in stack:
            torch.overrides._push_mode(entry)
    return seen


def primary(torch: Any, output: Any, depth: int = 0) -> Any:
    """The first floating-point tensor with an axis in what a model returned, or None."""
    if isinstance(output, torch.Tensor):
        return output if output.is_floating_point() and output.dim() >= 1 else None
    if depth > 2:
        return None
    logits = getattr(output, "logits", None)
    if isinstance(logits, torch.Tensor):
        return logits
    items = output.values() if isinstance(output, dict) else output
    if isinstance(items, (list, tuple)) or hasattr(items, "__iter__"):
        for item in items:
            found = primary(torch, item, depth + 1)
            if found is not None:
                return found
    return None


def tensor_inputs(torch: Any, args: Any, kwargs: Any) -> list[Any]:
    """All tensors among the arguments, positional ones first."""
    values = [*args, *kwargs.values()]
    found = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found.extend(item for item in value if isinstance(item, torch.Tensor))
    return found


def with_tensors(torch: Any, args: Any, kwargs: Any, change: Callable[[Any], Any]) -> Any:
    """Arguments with each tensor, also in lists and tuples, replaced by `change` of it."""

    def swap(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return change(value)
        if type(value) in (list, tuple):
            return type(value)(swap(item) for item in value)
        return value

    return tuple(swap(value) for value in args), {k: swap(v) for k, v in kwargs.items()}
