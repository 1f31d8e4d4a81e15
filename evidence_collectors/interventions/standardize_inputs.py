"""Standardise the floating-point inputs of the models by the statistics of their first batch."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class StandardizeInputs(CountedChange):
    """Each column (each channel of images) gets mean 0 and spread 1 on the way into the model.

    The statistics are those of the first training batch and stay fixed; a constant column is only
    shifted. It acts on models that are called with data, never on tensors with a gradient.
    """

    name: ClassVar[str] = "standardize_inputs"
    from_first_loss: ClassVar[bool] = True

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._known: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()
        self._handles: list[Any] = []

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: models get a forward pre-hook when they are first called."""
        patches.on_undo(self._release)

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if module not in self._known and next(module.parameters(), None) is not None:
            self._known[module] = {}
            self._handles.append(module.register_forward_pre_hook(self._replace))

    def _replace(self, module: Any, inputs: Any) -> Any:
        torch = self._probe.torch
        changed = []
        for position, value in enumerate(inputs):
            if (
                isinstance(value, torch.Tensor)
                and value.is_floating_point()
                and value.dim() > 1
                and not value.requires_grad
            ):
                value = self._standardized(torch, self._known[module], position, value)
            changed.append(value)
        return tuple(changed)

    def _standardized(self, torch: Any, known: dict[int, Any], position: int, value: Any) -> Any:
        with torch.no_grad():
            axis = 1 if value.dim() >= 4 else value.dim() - 1
            if position not in known:
                others = [other for other in range(value.dim()) if other != axis]
                values = value.double()
                mean = values.mean(others, keepdim=True)
                std = values.std(others, unbiased=False, keepdim=True)
                known[position] = mean, torch.where(std > 0, std, torch.ones_like(std))
            mean, std = known[position]
            if mean.shape[axis] != value.shape[axis]:
                return value
            self._count += 1
            return ((value.double() - mean) / std).to(value.dtype)

    def _release(self) -> None:
        while self._handles:
            self._handles.pop().remove()


INTERVENTION = StandardizeInputs
