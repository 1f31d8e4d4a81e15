"""How often the model is called for one update, with how many rows; what is constructed anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.graph import node_of

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_SITES = 32
MANY = 4
"""Calls for one update from one line from which they are followed."""


class _Calls:
    """The calls of one model from one line."""

    def __init__(self, label: str, at: Optional[dict[str, Any]]) -> None:
        self.label = label
        self.at = at
        self.now = self.single = self.chained = 0
        self.updates = self.most = self.least = self.total = 0
        self.single_total = self.chained_total = 0
        self.shapes: set[tuple[int, ...]] = set()


class CallPatternCollector:
    """Counts training calls per update by line, and constructions during training."""

    name: ClassVar[str] = "call_patterns"
    kinds: ClassVar[dict[str, str]] = {
        "calls.per_update": "per model and line with several calls for one update: updates looked "
        "at, least and most calls for one, calls of a single row, calls whose input came from an "
        "earlier call, number of input shapes, one shape",
        "built.again": "objects constructed after the first update: kind, class, line, how often, "
        "updates in between",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._calls: dict[Any, _Calls] = {}
        self._built: dict[Any, dict[str, Any]] = {}

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if self._probe.quiet or not self._probe.torch.is_grad_enabled():
            return
        key = (type(module), frame.f_code, frame.f_lasti)
        calls = self._calls.get(key)
        if calls is None:
            if len(self._calls) >= MAX_SITES:
                return
            outside = self._probe.outside_frame(frame, module)
            calls = self._calls[key] = _Calls(type(module).__name__, self._probe.locate(outside))
        calls.now += 1
        if calls.now > 512:
            return
        tensor = next((v for v in inputs if isinstance(v, self._probe.torch.Tensor)), None)
        if tensor is not None:
            calls.single += tensor.dim() < 2 or tensor.shape[0] == 1
            calls.chained += any(
                isinstance(v, self._probe.torch.Tensor) and node_of(v) is not None for v in inputs
            )
            if len(calls.shapes) < 8:
                calls.shapes.add(tuple(tensor.shape))

    def step_post(self, optimizer: Any) -> None:
        for calls in self._calls.values():
            if calls.now >= MANY:
                calls.updates += 1
                calls.total += calls.now
                calls.single_total += calls.single
                calls.chained_total += calls.chained
                calls.most = max(calls.most, calls.now)
                calls.least = calls.now if calls.least == 0 else min(calls.least, calls.now)
            calls.now = calls.single = calls.chained = 0

    def _note_built(self, kind: str, thing: Any, frame: Any) -> None:
        if self._probe.step == 0:
            return
        caller = self._probe.user_frame(frame)
        key = (kind, type(thing), None if caller is None else (caller.f_code, caller.f_lineno))
        built = self._built.get(key)
        if built is None:
            if len(self._built) >= MAX_SITES:
                return
            built = {"kind": kind, "class": type(thing).__name__, "count": 0}
            built.update({"first": self._probe.step, "at": self._probe.locate(caller)})
            self._built[key] = built
        built["count"] += 1
        built["last"] = self._probe.step

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._note_built("optimizer", optimizer, frame)

    def loader_created(self, loader: Any, frame: Any) -> None:
        self._note_built("loader", loader, frame)

    def finished(self, reason: str) -> None:
        for calls in self._calls.values():
            if calls.updates:
                self._probe.record(
                    "calls.per_update",
                    {
                        "class": calls.label,
                        "updates": calls.updates,
                        "least": calls.least,
                        "most": calls.most,
                        "calls": calls.total,
                        "single": calls.single_total,
                        "chained": calls.chained_total,
                        "shapes": len(calls.shapes),
                        "shape": list(next(iter(calls.shapes), ())),
                    },
                    at=calls.at,
                )
        for built in self._built.values():
            facts = {key: value for key, value in built.items() if key != "at"}
            facts["updates"] = self._probe.step
            self._probe.record("built.again", facts, at=built["at"])


COLLECTOR = CallPatternCollector
