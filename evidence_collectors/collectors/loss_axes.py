"""Along which axis of a classification loss's input the probabilities sum to one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.graph import node_of
from evidence_collectors.locals_view import named_values
from evidence_collectors.schedule import first

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_CALLS = 3
TOLERANCE = 1e-3
MAX_ELEMENTS = 2_000_000
LOSSES = frozenset({"nll_loss", "cross_entropy"})
MAX_VIEWS = 6


class LossAxisCollector:
    """Sums probabilities along each axis of what nll_loss and cross_entropy receive."""

    name: ClassVar[str] = "loss_axes"
    kinds: ClassVar[dict[str, str]] = {
        "loss.axis": "nll_loss or cross_entropy whose input sums to one, itself or after exp, "
        "along another axis than the classes: shape, axes, share of rows and of the other axis's "
        "slices that sum to one, whether targets are a square batch's own numbers",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._due = first(CLOSE_CALLS)
        self._calls: dict[Any, int] = {}
        self._made: dict[int, Any] = {}

    def activation_called(self, name: str, output: Any, frame: Any) -> None:
        if self._probe.since_novelty >= CLOSE_CALLS or name == "sigmoid":
            return
        node = node_of(output)
        if node is not None:
            if len(self._made) > 32:
                self._made.clear()
            self._made[id(node)] = (node, self._built(frame), self._probe.locate(frame))

    def _built(self, frame: Any) -> Any:
        """Where the module that makes this call was constructed, or None."""
        if self._probe.torch.nn.__name__.replace(".", os.sep) not in frame.f_code.co_filename:
            return None
        owner = named_values(frame).get("self")
        if not isinstance(owner, self._probe.torch.nn.Module):
            return None
        return self._probe.models.sites.get(owner)

    def loss_called(self, call: Any) -> None:
        if call.name in LOSSES:
            self._look(call.name, call.input, call.target, call.frame)

    def rows_taken(self, source: Any, index: Any, output: Any, frame: Any) -> None:
        if source.requires_grad and source.dim() == 2 and type(index) is tuple and len(index) == 2:
            self._look("indexing", source, index[1], frame)

    def values_gathered(self, source: Any, axis: int, index: Any, output: Any, frame: Any) -> None:
        if source.requires_grad and source.dim() == 2 and axis in (1, -1):
            self._look("gather", source, index.reshape(-1), frame)

    def _look(self, name: str, values: Any, target: Any, frame: Any) -> None:
        """Record class scores [samples, classes, …] that are probabilities along another axis."""
        torch = self._probe.torch
        if not (isinstance(values, torch.Tensor) and isinstance(target, torch.Tensor)):
            return
        if values.dim() < 2 or values.numel() > MAX_ELEMENTS:
            return
        caller = self._probe.user_frame(frame)
        key = None if caller is None else (name, caller.f_code, caller.f_lineno)
        count = self._calls.get(key, 0)
        self._calls[key] = count + 1
        if not self._due(count):
            return
        with torch.no_grad():
            found = unit_axes(torch, values.detach())
        if found is None or found["rows"] > TOLERANCE:
            return
        built, called = self._source(values)
        if called is None and name not in LOSSES:
            return
        found.update(
            {
                "loss": name,
                "shape": list(values.shape),
                "own_numbers": own_numbers(values, target),
                "built_at": built,
                "called_at": called,
            }
        )
        self._probe.record("loss.axis", found, at=self._probe.locate(frame))

    def _source(self, tensor: Any) -> Any:
        node = node_of(tensor)
        for _ in range(MAX_VIEWS):
            if node is None:
                break
            known = self._made.get(id(node))
            if known is not None and known[0] is node:
                return known[1], known[2]
            following = [child for child, _ in node.next_functions if child is not None]
            node = following[0] if following else None
        return None, None

    def finished(self, reason: str) -> None:
        self._made.clear()


def own_numbers(values: Any, target: Any) -> bool:
    """Whether a square batch asks each row for a different column (contrastive losses)."""
    if values.dim() != 2 or values.shape[0] != values.shape[1]:
        return False
    if target.is_floating_point() or target.dim() != 1:
        return True
    return int(target.unique().numel()) == int(target.numel())


def unit_axes(torch: Any, values: Any) -> Any:
    """The axis other than 1 along which probabilities sum to one, None if there is none.

    `rows` and `slices` are the shares of class rows and of that axis's slices whose sum is within
    1e-3 of one. Values in [0, 1] are taken as they are, values up to 0 by their exponential.
    """
    if not bool(torch.isfinite(values).all()) or min(values.shape) < 2:
        return None
    if bool((values <= 0).all()):
        probability, logarithm = values.double().exp(), True
    elif bool((values >= 0).all()) and bool((values <= 1 + TOLERANCE).all()):
        probability, logarithm = values.double(), False
    else:
        return None

    def share(axis: int) -> float:
        return float(((probability.sum(axis) - 1).abs() < TOLERANCE).double().mean())

    for axis in range(values.dim()):
        if axis != 1 and share(axis) == 1.0:
            return {"axis": axis, "rows": share(1), "slices": 1.0, "logarithm": logarithm}
    return None


COLLECTOR = LossAxisCollector
