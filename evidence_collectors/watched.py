"""Which parameters of an optimizer are watched closely, and cheap facts about their gradients."""

from __future__ import annotations

from typing import Any

EDGE = 4
"""The first and last few parameters of each group are watched."""


def watched(optimizer: Any) -> list[Any]:
    """The first and last `EDGE` parameters of each group that require a gradient."""
    chosen = []
    for group in optimizer.param_groups:
        parameters = [p for p in group["params"] if p.requires_grad]
        if len(parameters) > 2 * EDGE:
            parameters = parameters[:EDGE] + parameters[-EDGE:]
        chosen.extend(parameters)
    return chosen


def is_cleared(parameter: Any) -> bool:
    """Whether a parameter's gradient is None or all zero."""
    grad = parameter.grad
    if grad is None:
        return True
    if grad.is_sparse:
        return bool(grad._nnz() == 0)
    return not bool(grad.detach().any())


def signature(gradient: Any) -> tuple[str, ...]:
    """Sum and L1 norm as text, which differ when a gradient's values do; () for none."""
    if gradient is None:
        return ()
    values = gradient.detach()
    if values.is_sparse:
        values = values.coalesce().values()
    if values.element_size() < 4:
        values = values.float()
    return repr(values.sum().item()), repr(values.norm(1).item())
