"""Weights that are loaded back although they are the model's own, and stored data that change.

A state dict is no copy: its tensors share their storage with the parameters, and go on training.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Iterator, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LOADERS = 4
MAX_STORED = 12
MIN_ELEMENTS = 40
MAX_ELEMENTS = 4_000_000


class SnapshotCollector:
    """Compares loaded states with the parameters, and datasets with what they held at first."""

    name: ClassVar[str] = "snapshots"
    kinds: ClassVar[dict[str, str]] = {
        "state.aliased": "a state that was loaded although its tensors are the model's own: shared "
        "tensors, all tensors, updates since the run began; line",
        "state.loaded": "loads of a state looked at",
        "data.changed": "a tensor or array that a loader's dataset stores, changed in place while "
        "training: name, mean absolute value at first and at last, share of elements changed",
        "data.stored": "stored tensors and arrays of datasets that were followed",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._loads = 0
        self._aliased = 0
        self._stored: list[dict[str, Any]] = []
        self._loaders = 0

    def state_loading(self, module: Any, state: Any) -> None:
        self._loads += 1
        try:
            given = {name: value for name, value in state.items() if hasattr(value, "data_ptr")}
            own = dict(module.named_parameters())
            shared = sum(
                name in own and value.data_ptr() == own[name].data_ptr() and value.numel() > 0
                for name, value in given.items()
            )
        except (AttributeError, RuntimeError, TypeError):
            return
        if shared and self._probe.step > 0 and self._aliased < 4:
            self._aliased += 1
            facts = {"shared": shared, "tensors": len(own), "updates": self._probe.step}
            at = self._probe.locate(sys._getframe(3))
            self._probe.record("state.aliased", facts, at=at)

    def loader_created(self, loader: Any, frame: Any) -> None:
        if self._loaders >= MAX_LOADERS:
            return
        self._loaders += 1
        for name, value in self._values(loader.dataset):
            if len(self._stored) >= MAX_STORED:
                return
            if any(kept["value"] is value for kept in self._stored):
                continue
            first = self._copy(value)
            if first is not None:
                at = self._probe.locate(frame)
                label = type(loader.dataset).__name__
                self._stored.append(
                    {"name": f"{label}.{name}", "value": value, "first": first, "at": at}
                )

    def _values(self, dataset: Any) -> Iterator[tuple[str, Any]]:
        tensors = getattr(dataset, "tensors", None)
        if isinstance(tensors, (tuple, list)):
            for index, value in enumerate(tensors):
                yield f"tensors[{index}]", value
            return
        for name, value in list(getattr(dataset, "__dict__", {}).items()):
            yield name, value

    def _copy(self, value: Any) -> Optional[Any]:
        """A copy of the values as a flat tensor; None for what is no fit table."""
        torch = self._probe.torch
        try:
            if isinstance(value, torch.Tensor):
                if value.requires_grad or value.is_complex() or not value.is_floating_point():
                    return None
                flat = value.detach()
            elif getattr(getattr(value, "dtype", None), "kind", "") == "f":
                flat = torch.as_tensor(value)
            else:
                return None
            if not MIN_ELEMENTS <= flat.numel() <= MAX_ELEMENTS:
                return None
            return flat.reshape(-1).to("cpu", torch.float64, copy=True)
        except Exception:
            return None

    def finished(self, reason: str) -> None:
        for kept in self._stored:
            now = self._copy(kept["value"])
            if now is None or len(now) != len(kept["first"]):
                continue
            changed = now != kept["first"]
            changed &= ~(now.isnan() & kept["first"].isnan())
            share = float(changed.double().mean())
            if share > 0:
                self._probe.record(
                    "data.changed",
                    {
                        "name": kept["name"],
                        "before": float(kept["first"].abs().nanmean()),
                        "after": float(now.abs().nanmean()),
                        "share": share,
                    },
                    at=kept["at"],
                )
        self._probe.record("data.stored", {"followed": len(self._stored)})
        self._probe.record("state.loaded", {"loads": self._loads})
        self._stored.clear()


COLLECTOR = SnapshotCollector
