"""Which positions attention and loss leave out, against where the sequences were filled up."""

from __future__ import annotations

from typing import Any, Optional

from evidence_collectors.padding import Padding
from evidence_collectors.reruns.call_trace import Trace, with_tensors
from evidence_collectors.reruns.sequences import time_axis

PRODUCTS = frozenset({"mul", "__mul__", "__rmul__", "multiply"})
CONSTANT = 0.999
"""Correlation of gradient and prediction from which a squared error's target is one constant."""


def attention_masks(torch: Any, trace: Trace, padding: Padding) -> list[dict[str, Any]]:
    """Share of the real and of the filled positions that each attention of a call leaves out."""
    found = []
    for operation in trace.operations:
        masked = _left_out(torch, operation, padding)
        if masked is None or not bool(masked.any()):
            continue
        filled = padding.mask
        found.append(
            {
                "function": operation.name,
                "masked_real": float(masked[~filled].double().mean()),
                "masked_padding": float(masked[filled].double().mean()),
                "at": operation.at,
            }
        )
    return found


def _left_out(torch: Any, operation: Any, padding: Padding) -> Any:
    """The positions [samples, positions] that no query looks at, or None."""
    mask: Any = None
    rows, width = padding.mask.shape
    if operation.name == "multi_head_attention_forward":
        mask = operation.kwargs.get("key_padding_mask")
        if not isinstance(mask, torch.Tensor):
            return None
        mask = mask if mask.dtype == torch.bool else mask == float("-inf")
    elif operation.name == "scaled_dot_product_attention":
        mask = operation.kwargs.get("attn_mask", (*operation.args, None, None, None, None)[3])
        if not isinstance(mask, torch.Tensor):
            return None
        mask = ~mask if mask.dtype == torch.bool else mask == float("-inf")
    elif operation.name in ("softmax", "_softmax"):
        mask = operation.output == 0
    elif operation.name in PRODUCTS:
        return _factor(torch, operation, padding)
    if mask is None or mask.dim() < 2 or int(mask.shape[-1]) != width:
        return None
    if int(mask.shape[0]) != rows:
        return None
    return mask.reshape(rows, -1, width).all(1)


def _factor(torch: Any, operation: Any, padding: Padding) -> Any:
    """Positions that a factor of zeros and ones, one a position, takes out of a product."""
    for value in operation.args:
        if not isinstance(value, torch.Tensor) or operation.output.dim() != 3:
            continue
        if value.dim() != 3 or tuple(value.shape) != (*padding.mask.shape, 1):
            continue
        if bool(((value == 0) | (value == 1)).all()):
            return (value == 0)[..., 0]
    return None


def other_tokens(torch: Any, chosen: Any, padding: Padding, args: Any, kwargs: Any) -> Any:
    """The arguments with each real position of one input replaced by one from elsewhere."""

    def change(tensor: Any) -> Any:
        if tensor is not chosen:
            return tensor
        made = tensor.detach().clone()
        real = ~padding.mask
        values = made[real]
        made[real] = torch.roll(values, max(len(values) // 2, 1), 0)
        return made

    return with_tensors(torch, args, kwargs, change)


def counted_positions(
    torch: Any, output: Any, gradient: Any, padding: Padding, target: Any
) -> Optional[dict[str, Any]]:
    """Share of real and filled positions through which the loss has a gradient.

    `target`: integer targets at the loss's door, or None.
    """
    shape = padding.mask.shape
    slope = _as_positions(gradient, shape)
    values = _as_positions(output, shape)
    if slope is None or values is None:
        return None
    counted = (slope != 0).any(-1)
    filled = padding.mask
    lost = ~filled & ~counted
    facts: dict[str, Any] = {
        "real": int((~filled).sum()),
        "padding": int(filled.sum()),
        "real_counted": float(counted[~filled].double().mean()),
        "padding_counted": float(counted[filled].double().mean()),
        "constant_target": _constant(torch, values[counted], slope[counted]),
        "lost_target": None,
        "padding_target": None,
        "lost_target_kept": None,
    }
    if target is not None and target.numel() == filled.numel():
        wanted = target.detach().reshape(filled.shape)
        if bool(lost.any()) and int(wanted[lost].unique().numel()) == 1:
            label = wanted[lost][0]
            facts["lost_target"] = int(label)
            facts["lost_target_kept"] = int(((wanted == label) & counted).sum())
        if int(wanted[filled].unique().numel()) == 1:
            facts["padding_target"] = int(wanted[filled][0])
    return facts


def _as_positions(tensor: Any, shape: Any) -> Any:
    if list(tensor.shape) == list(shape):
        return tensor.detach().unsqueeze(-1)
    found = time_axis(tensor, shape, 1)
    return None if found is None else found.detach()


def _constant(torch: Any, values: Any, slopes: Any) -> bool:
    """Whether the loss pulls all counted positions to one value (squared error) or class."""
    if len(values) < 3:
        return False
    if values.shape[-1] > 1:
        return int(slopes.argmin(-1).unique().numel()) == 1
    pair = torch.stack([values[:, 0], slopes[:, 0]]).double()
    if float(pair.std(1).min()) == 0:
        return False
    return float(torch.corrcoef(pair)[0, 1]) > CONSTANT
