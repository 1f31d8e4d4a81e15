"""Facts about one tensor: shape, dtype, device, range, and what is not finite."""

from __future__ import annotations

from typing import Any

from evidence_collectors.graph import node_of

MAX_ELEMENTS = 2_000_000
"""Above this many elements only the shape facts are read."""


def shape_facts(tensor: Any) -> dict[str, Any]:
    """Shape, dtype, device and gradient flags; never touches the values."""
    node = node_of(tensor)
    return {
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype).replace("torch.", ""),
        "device": str(tensor.device),
        "requires_grad": bool(tensor.requires_grad),
        "grad_fn": None if node is None else type(node).__name__,
    }


def value_facts(torch: Any, tensor: Any) -> dict[str, Any]:
    """Minimum, maximum and mean over the finite values, and the count of the others.

    Works on a detached view in float64 under no_grad; draws no random number.
    """
    facts = shape_facts(tensor)
    if tensor.numel() == 0 or tensor.numel() > MAX_ELEMENTS or tensor.is_complex():
        return facts
    with torch.no_grad():
        values = tensor.detach()
        if not values.is_floating_point():
            values = values.to(torch.float64)
            finite = values
            bad = 0
        else:
            mask = torch.isfinite(values)
            bad = int((~mask).sum())
            finite = (values[mask] if bad else values).to(torch.float64)
        facts["nonfinite"] = bad
        if bad:
            facts["nan"] = int(torch.isnan(values).sum())
        if finite.numel():
            facts["min"] = float(finite.min())
            facts["max"] = float(finite.max())
            facts["mean"] = float(finite.mean())
            facts["std"] = float(finite.std()) if finite.numel() > 1 else 0.0
    return facts
