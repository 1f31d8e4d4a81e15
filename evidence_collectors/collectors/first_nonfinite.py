"""The first operation that made a non-finite value, forward or backward, with its operands.

This collector is heavy (each torch call is looked at), so it runs only in a second run that asks
for it by name. A non-finite value matters only if the loss or a gradient becomes non-finite too:
a mask of -inf is ordinary.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, ClassVar, Optional

from evidence_collectors.describe import value_facts
from evidence_collectors.graph import sequence_number, walk
from evidence_collectors.locals_view import named_values
from evidence_collectors.operator_mode import OperatorMode

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

IGNORED = ("empty", "__get__", "__set__", "new_empty", "empty_like", "isnan", "isfinite", "isinf")
"""Uninitialised memory and questions about finiteness are no events."""
ABSORBING = frozenset(
    {"softmax", "where", "nan_to_num", "masked_fill", "clamp", "exp", "sigmoid", "tanh", "relu"}
    | {"max", "min", "maximum", "minimum", "scaled_dot_product_attention", "nanmean", "nansum"}
)
"""Operations that take a non-finite value on purpose and give a finite one."""
MAX_OPERANDS = 4
MAX_EVENTS = 32
MAX_CALLS = 20_000
"""Calls of one iteration that are remembered for its backward pass."""


class FirstNonfiniteCollector:
    """Watches torch calls and backward nodes until one makes NaN or inf out of finite operands."""

    name: ClassVar[str] = "first_nonfinite"
    heavy: ClassVar[bool] = True
    always: ClassVar[tuple[str, ...]] = ("backward_enter", "backward_exit", "step_pre")
    kinds: ClassVar[dict[str, str]] = {
        "nonfinite.first": "where (forward, backward, entered, parameters), operation, counts of "
        "NaN and inf in the result, facts of the operands with their names, loss, line",
        "nonfinite.watched": "torch calls and backward passes looked at",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._mode: Optional[OperatorMode] = None
        self._leftover: Optional[OperatorMode] = None
        self._found = False
        self._events: list[dict[str, Any]] = []
        """Non-finite results of this iteration that nothing has absorbed so far."""
        self._seen: dict[int, Optional[dict[str, Any]]] = {}
        """Storage of each non-finite tensor, and the event that it comes from."""
        self._sources: list[dict[str, Any]] = []
        """Calls that made non-finite tensors from data, such as torch.tensor of a file's rows."""
        self._benign: set[Any] = set()
        """Operations and lines whose non-finite results left the loss finite (masks of -inf)."""
        self._backward_event: Optional[dict[str, Any]] = None
        self._calls: list[tuple[int, str, Any, list[Any]]] = []
        self._handles: list[Any] = []
        self._leaves: list[Any] = []
        self._looked = 0
        self._passes = 0

    def torch_ready(self, torch: Any) -> None:
        if self._probe.config.watch_from <= 0:
            self._start()

    def _start(self) -> None:
        if self._mode is None and not self._found:
            self._mode = OperatorMode(self._probe.torch, self._call)

    def _stop(self) -> None:
        mode, self._mode = self._mode, None
        if mode is not None and not mode.remove():
            self._leftover = mode
        while self._handles:
            self._handles.pop().remove()
        self._calls = []

    def _call(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        name = str(getattr(func, "__name__", func))
        if name in IGNORED:
            return func(*args, **kwargs)
        operands = self._tensors([*args, *kwargs.values()])
        bad = next((tensor for tensor in operands if not self._is_finite(tensor)), None)
        if name.endswith("_") and bad is None:
            operands = [operand.detach().clone() for operand in operands]
        result = func(*args, **kwargs)
        self._guarded(self._look, name, operands, bad, result)
        return result

    def _guarded(self, action: Callable[..., None], *args: Any) -> None:
        """Run one of our own readings; a failure ends the watching, never the script."""
        try:
            action(*args)
        except Exception as error:
            self._found = True
            self._stop()
            self._probe.record("collector.failed", {"collector": self.name, "error": repr(error)})

    def _look(self, name: str, operands: list[Any], bad: Any, result: Any) -> None:
        self._looked += 1
        results = self._tensors([result])
        made = next((tensor for tensor in results if not self._is_finite(tensor)), None)
        if bad is not None:
            pointer = bad.data_ptr()
            if made is None and name.rstrip("_") in ABSORBING:
                source = self._seen.get(pointer)
                self._events = [event for event in self._events if event is not source]
            elif made is not None:
                if pointer not in self._seen and len(self._events) < MAX_EVENTS:
                    self._events.append(self._describe("entered", name, [bad], bad))
                    self._seen[pointer] = self._events[-1]
                self._seen[made.data_ptr()] = self._seen.get(pointer)
            return
        if made is not None and not operands:
            self._sources = [*self._sources, self._source(name, made)][-MAX_OPERANDS:]
            return
        if made is not None:
            if len(self._events) < MAX_EVENTS:
                self._events.append(self._describe("forward", name, operands, made))
                self._seen[made.data_ptr()] = self._events[-1]
            return
        for tensor in results:
            number = sequence_number(tensor)
            if number >= 0 and len(self._calls) < MAX_CALLS:
                place = self._probe.locate(sys._getframe(1))
                kept = [operand.detach() for operand in operands[:MAX_OPERANDS]]
                self._calls.append((number, name, place, kept))

    def _source(self, name: str, made: Any) -> dict[str, Any]:
        """A call that made a non-finite tensor out of no tensor: data come in here."""
        frame = self._probe.user_frame(sys._getframe(1))
        return {
            "operation": name,
            "shape": list(made.shape),
            "made": self._counts(made),
            "at": self._probe.locate(frame),
        }

    def _describe(self, where: str, name: str, operands: list[Any], made: Any) -> dict[str, Any]:
        torch = self._probe.torch
        frame = self._probe.user_frame(sys._getframe(1))
        known: dict[int, str] = {}
        if frame is not None:
            for key, value in named_values(frame).items():
                if isinstance(value, torch.Tensor):
                    known.setdefault(id(value), key)
        return {
            "where": where,
            "operation": name,
            "made": self._counts(made),
            "operands": [
                {"name": known.get(id(tensor), ""), **self._facts(tensor)}
                for tensor in operands[:MAX_OPERANDS]
            ],
            "sources": self._sources if where == "entered" else [],
            "at": self._probe.locate(frame),
        }

    def _facts(self, tensor: Any) -> dict[str, Any]:
        facts = value_facts(self._probe.torch, tensor)
        values = tensor.detach()
        if not values.is_complex():
            facts["zeros"] = int((values == 0).sum())
            facts["negative"] = int((values < 0).sum())
        if facts.get("nonfinite") and values.dim() > 0:
            rows = (~self._probe.torch.isfinite(values)).reshape(values.shape[0], -1).any(1)
            facts["bad_rows"] = rows.nonzero().reshape(-1)[:5].tolist()
            facts["bad_row_count"] = int(rows.sum())
        return facts

    def _counts(self, tensor: Any) -> dict[str, int]:
        torch = self._probe.torch
        values = tensor.detach()
        return {
            "nan": int(torch.isnan(values).sum()),
            "inf": int(torch.isinf(values).sum()),
            "of": int(values.numel()),
        }

    def _tensors(self, values: Any) -> list[Any]:
        tensor = self._probe.torch.Tensor
        found: list[Any] = []
        for value in values:
            if isinstance(value, tensor):
                if value.is_floating_point() and value.layout is self._probe.torch.strided:
                    found.append(value)
            elif isinstance(value, (list, tuple)) and len(value) <= 64:
                found.extend(self._tensors(value))
        return found

    def _is_finite(self, tensor: Any) -> bool:
        if tensor.device.type == "meta":
            return True
        with self._probe.torch.no_grad():
            return bool(self._probe.torch.isfinite(tensor).all())

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if self._mode is None or self._found:
            return
        self._passes += 1
        loss = tensors[0]
        if not self._is_finite(loss):
            fresh = [event for event in self._events if self._mark(event) not in self._benign]
            self._report(loss, next(iter(fresh or self._events), None))
            return
        self._benign |= {self._mark(event) for event in self._events}
        self._events = []
        self._seen = {}
        seen = walk(loss)
        self._leaves = seen.leaves
        for leaf in seen.leaves:
            if not self._is_finite(leaf):
                self._report(loss, self._describe("parameters", "update", [leaf], leaf))
                return
        for node in seen.nodes:
            self._handles.append(node.register_hook(self._node_hook(node)))

    def _node_hook(self, node: Any) -> Any:
        def hook(inputs: Any, outputs: Any) -> None:
            if self._backward_event is None:
                self._guarded(self._look_backward, node, inputs, outputs)

        return hook

    def _look_backward(self, node: Any, inputs: Any, outputs: Any) -> None:
        made = next((t for t in self._tensors(inputs) if not self._is_finite(t)), None)
        if made is not None and all(self._is_finite(t) for t in self._tensors(outputs)):
            self._backward_event = self._trace_back(node, made)

    def _trace_back(self, node: Any, made: Any) -> dict[str, Any]:
        """The forward call that created a backward node: the next recorded one at its number."""
        number = int(node._sequence_nr())
        later = [call for call in self._calls if call[0] >= number]
        call = min(later, key=lambda entry: entry[0]) if later else (0, "", None, [])
        return {
            "where": "backward",
            "operation": call[1] or type(node).__name__,
            "node": type(node).__name__,
            "made": self._counts(made),
            "operands": [{"name": "", **self._facts(tensor)} for tensor in call[3]],
            "at": call[2],
        }

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._found:
            return
        if self._mode is None:
            if self._probe.backwards >= self._probe.config.watch_from:
                self._start()
            return
        while self._handles:
            self._handles.pop().remove()
        gradients = [leaf.grad for leaf in self._leaves if leaf.grad is not None]
        if self._backward_event is not None and not all(self._is_finite(g) for g in gradients):
            self._report(tensors[0], self._backward_event)
        self._backward_event = None
        self._calls = []
        self._leaves = []

    @staticmethod
    def _mark(event: dict[str, Any]) -> Any:
        at = event["at"] or {}
        return event["operation"], at.get("file"), at.get("line")

    def _report(self, loss: Any, event: Optional[dict[str, Any]]) -> None:
        self._found = True
        if event is not None:
            data = {key: value for key, value in event.items() if key != "at"}
            data["loss"] = float(loss.detach()) if loss.numel() == 1 else None
            data["backward"] = self._probe.backwards
            self._probe.record("nonfinite.first", data, at=event["at"], essential=True)
            self._probe.enough = True
        self._stop()

    def step_pre(self, optimizer: Any) -> None:
        if self._leftover is not None and self._leftover.remove():
            self._leftover = None

    def finished(self, reason: str) -> None:
        self._stop()
        self._probe.record("nonfinite.watched", {"calls": self._looked, "passes": self._passes})


COLLECTOR = FirstNonfiniteCollector
