"""Does a model use the marks in its input, or does it mask them? Tried on a copy."""

from __future__ import annotations

from typing import Any

from evidence_collectors.columns import as_rows
from evidence_collectors.model_copy import copy_of, undisturbed

NUDGE = 1e-3
"""Relative change of a mark that a comparison `x == mark` no longer takes for the mark."""


def weight_of_marks(
    torch: Any, model: Any, sample: Any, marks: dict[int, list[float]]
) -> dict[int, dict[str, Any]]:
    """For each marked column whether the model's result depends on the marks in a sample batch.

    `marks` and `others`: greatest gradient of the summed output there. A mask has none at the
    marks, nor has an activation that they saturate; so it counts as a mask only if besides no
    layer with weights is given the mark, or if a nudged mark changes the output.
    """
    found: dict[int, dict[str, Any]] = {}
    with undisturbed(torch, model):
        made = copy_of(torch, model)
        if made is None:
            return found
        try:
            given = sample.clone().requires_grad_(True)
            met = _Met(torch, made, [value for values in marks.values() for value in values])
            with torch.enable_grad():
                output = _first(made(given))
                slopes: Any = as_rows(torch.autograd.grad(output.double().sum(), given)[0].abs())
            values: Any = as_rows(sample.double())
            with torch.no_grad():
                for column, exact in marks.items():
                    at_mark = torch.isin(values[:, column], values.new_tensor(exact))
                    if not bool(at_mark.any()) or bool(at_mark.all()):
                        continue
                    found[column] = {
                        "marks": float(slopes[at_mark, column].max()),
                        "others": float(slopes[~at_mark, column].max()),
                    }
                if found:
                    nudged = _first(made(_nudged(torch, sample, marks)))
                    masked = not met.any or not torch.equal(nudged, output)
                    for facts in found.values():
                        facts["masked"] = facts["marks"] == 0 < facts["others"] and masked
        except Exception:
            return {}
    return found


class _Met:
    """Whether a layer with weights is given one of the marks."""

    def __init__(self, torch: Any, model: Any, marks: list[float]) -> None:
        self.any = False
        self._torch = torch
        self._marks = marks
        for module in model.modules():
            if module._parameters and next(module.children(), None) is None:
                module.register_forward_pre_hook(self._look)

    def _look(self, module: Any, inputs: Any) -> None:
        for value in inputs:
            if isinstance(value, self._torch.Tensor) and value.is_floating_point():
                exact = value.new_tensor(self._marks, dtype=value.dtype)
                self.any = self.any or bool(self._torch.isin(value, exact).any())


def _nudged(torch: Any, sample: Any, marks: dict[int, list[float]]) -> Any:
    exact = sample.new_tensor([value for values in marks.values() for value in values])
    return torch.where(torch.isin(sample, exact), sample * (1 + NUDGE), sample)


def _first(output: Any) -> Any:
    while isinstance(output, (tuple, list)):
        output = output[0]
    return output
