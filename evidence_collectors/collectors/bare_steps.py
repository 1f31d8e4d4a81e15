"""Optimizer steps before any backward call, and the loss that was at hand when they were made."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.locals_view import named_values

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_STEPS = 4
"""Steps of each optimizer that are looked at while no backward call has been made."""
DEPTH = 6
MAX_NAMES = 4


class BareStepCollector:
    """Counts, per optimizer, steps on no gradients at all before the first backward call."""

    name: ClassVar[str] = "bare_steps"
    kinds: ClassVar[dict[str, str]] = {
        "steps.bare": "per optimizer whose first step came before any backward call and found no "
        "gradient: such steps, all steps, backward calls; expressions that held a scalar with a "
        "graph in the caller; line of the step and of the call that leads to loss and step",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._found: dict[int, dict[str, Any]] = {}
        self._backwards = 0
        self._loss_lines: dict[Any, int] = {}

    def loss_called(self, call: Any) -> None:
        if self._probe.backwards == 0 and call.input.requires_grad:
            self._loss_lines = self._lines(call.frame)

    def _lines(self, frame: Any) -> dict[Any, int]:
        """Line by frame, for the user's frames from this one outwards."""
        lines: dict[Any, int] = {}
        found = self._probe.user_frame(frame)
        while found is not None and len(lines) < DEPTH:
            lines[found.f_code] = found.f_lineno
            found = self._probe.user_frame(found.f_back)
        return lines

    def step_pre(self, optimizer: Any) -> None:
        count = self._probe.count_of(optimizer).steps
        if self._probe.backwards or count >= CLOSE_STEPS:
            return
        self._backwards = self._probe.backwards
        if any(p.grad is not None for group in optimizer.param_groups for p in group["params"]):
            return
        frame = self._probe.user_frame(sys._getframe(2))
        entry = self._found.setdefault(
            id(optimizer),
            {
                "count": self._probe.count_of(optimizer),
                "optimizer": type(optimizer).__name__,
                "bare": 0,
                "step_at": self._probe.locate(frame),
                "led_from": self._led_from(frame),
                "losses": self._losses(frame),
            },
        )
        entry["bare"] += 1

    def step_post(self, optimizer: Any) -> None:
        entry = self._found.get(id(optimizer))
        if entry is not None and entry["bare"] == 1 and self._probe.backwards > self._backwards:
            del self._found[id(optimizer)]  # a closure made the backward call inside the step

    def _led_from(self, frame: Any) -> Optional[dict[str, Any]]:
        """The user's innermost line that led to both the loss and this step."""
        while frame is not None:
            if frame.f_code in self._loss_lines:
                return self._probe.locate(frame)
            frame = self._probe.user_frame(frame.f_back)
        return None

    def _losses(self, frame: Any) -> list[str]:
        """Names and attributes of `self` in the caller that hold a scalar with a graph."""
        if frame is None:
            return []
        values = named_values(frame)
        owner = values.get("self")
        named = list(values.items())
        named += [(f"self.{name}", value) for name, value in getattr(owner, "__dict__", {}).items()]
        tensor = self._probe.torch.Tensor
        return [
            name
            for name, value in named
            if isinstance(value, tensor)
            and value.numel() == 1
            and value.requires_grad
            and not value.is_leaf
        ][:MAX_NAMES]

    def finished(self, reason: str) -> None:
        for entry in self._found.values():
            facts = {key: value for key, value in entry.items() if key != "count"}
            facts["steps"] = entry["count"].steps
            facts["backwards"] = self._probe.backwards
            self._probe.record("steps.bare", facts, at=entry["step_at"])


COLLECTOR = BareStepCollector
