"""Do clipping and gradient scaling act on this step's gradients, and in the right order?

A clip acts on something only if a backward call has come after the last step of the optimizer that
holds its parameters, and before the next one. Between a scaled backward and `unscale_` (or the
scaler's own step) gradients hold the scale as a factor.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.graph import sequence_number
from evidence_collectors.watched import is_cleared

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_TESTED = 8


class _State:
    """What has happened to one optimizer's gradients since its last step."""

    def __init__(self, optimizer: Any) -> None:
        self.ref = weakref.ref(optimizer)
        self.label = type(optimizer).__name__
        self.backwards = 0
        """Backward calls when it last stepped."""
        self.scaled = False
        """Whether the last backward call was made on a scaled loss."""
        self.unscaled = False

    def holds(self, parameter: Any) -> bool:
        optimizer = self.ref()
        return optimizer is not None and any(
            parameter is held for group in optimizer.param_groups for held in group["params"]
        )


class _Clip:
    """The clip calls of one line."""

    def __init__(self, kind: str, limit: float, at: Optional[dict[str, Any]]) -> None:
        self.kind = kind
        self.limit = limit
        self.at = at
        self.looked = self.acting = self.stale = self.empty = self.scaled = 0
        self.norm = self.at_step = 0.0
        self.optimizer: Optional[_State] = None


class GradientChangeCollector:
    """Counts what clip calls found, and scaler calls out of order."""

    name: ClassVar[str] = "gradient_changes"
    kinds: ClassVar[dict[str, str]] = {
        "gradient.clip": "per line that clips: calls looked at; of these with fresh gradients, "
        "after the step, before backward, on scaled gradients; the limit, the greatest L2 norm "
        "there and at the optimizer's step, the last scale",
        "gradient.scaler": "per scaler and optimizer: steps through the scaler looked at, of these "
        "after a backward call on an unscaled loss; steps past the scaler on scaled gradients; "
        "calls of update; the scale; lines of backward and step",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._states: dict[int, _State] = {}
        self._clips: dict[Any, _Clip] = {}
        self._scaled_sequences: list[int] = []
        self._scale = 0.0
        self._inside: Any = None
        self._counts: dict[str, dict[str, Any]] = {}
        self._updates = 0
        self._backward_at: Optional[dict[str, Any]] = None

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._states[id(optimizer)] = _State(optimizer)

    def scaler_called(self, name: str, scaler: Any, subject: Any, frame: Any) -> None:
        state = self._states.get(id(subject))
        if name == "step":
            self._inside = subject
            if state is not None and self._probe.backwards > state.backwards:
                self._count(state, "through", frame)
                if not state.scaled:
                    self._count(state, "unscaled_backward", frame)
        elif name == "unscale_" and state is not None:
            state.unscaled = True
        elif name == "update":
            self._updates += 1

    def scaler_done(self, name: str, scaler: Any, subject: Any, result: Any) -> None:
        self._scale = float(scaler.get_scale())
        if name == "step":
            self._inside = None
            state = self._states.get(id(subject))
            if state is not None:  # a skipped step sends no event of its own
                state.backwards, state.unscaled = self._probe.backwards, False
        elif name == "scale" and isinstance(result, self._probe.torch.Tensor):
            self._scaled_sequences = [*self._scaled_sequences, sequence_number(result)][-8:]

    def _count(self, state: _State, what: str, frame: Any = None) -> None:
        known = self._counts.setdefault(
            state.label, {"through": 0, "unscaled_backward": 0, "past": 0, "step_at": None}
        )
        known[what] += 1
        known["step_at"] = known["step_at"] or self._probe.locate(frame)

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if not self._scaled_sequences:
            scaled = False
        else:
            sequence = self._probe.walk(tensors[0]).sequence
            scaled = any(number in sequence for number in self._scaled_sequences)
            self._scaled_sequences.clear()
        self._backward_at = self._probe.locate(frame) if not scaled else self._backward_at
        for state in self._states.values():
            if state.backwards <= self._probe.backwards:
                state.scaled, state.unscaled = scaled, False

    def clipped(self, kind: str, parameters: Any, limit: Any, frame: Any) -> None:
        caller = self._probe.user_frame(frame)
        if not parameters or caller is None:
            return
        state = next((s for s in self._states.values() if s.holds(parameters[0])), None)
        if state is None:
            return
        key = (caller.f_code, caller.f_lasti)
        clip = self._clips.get(key)
        if clip is None:
            clip = _Clip(kind, float(limit), self._probe.locate(caller))
            clip.optimizer = state
            self._clips[key] = clip
        clip.looked += 1
        clip.norm = max(clip.norm, self._norm(parameters))
        if all(is_cleared(parameter) for parameter in parameters[:MAX_TESTED]):
            clip.empty += 1
        elif self._probe.backwards <= state.backwards:
            clip.stale += 1
        else:
            clip.acting += 1
            clip.scaled += state.scaled and not state.unscaled and self._scale > 1

    def _norm(self, parameters: Any) -> float:
        """L2 norm of all gradients together."""
        total = 0.0
        for parameter in parameters:
            gradient = parameter.grad
            if gradient is not None and not gradient.is_sparse:
                total += float(self._probe.torch.linalg.vector_norm(gradient.detach())) ** 2
        return total**0.5 if total == total else float("nan")

    def step_pre(self, optimizer: Any) -> None:
        state = self._states.get(id(optimizer))
        if state is None:
            return
        for clip in self._clips.values():
            if clip.optimizer is state:
                held = [p for group in optimizer.param_groups for p in group["params"]]
                clip.at_step = max(clip.at_step, self._norm(held))
        fresh = self._probe.backwards > state.backwards
        if fresh and state.scaled and not state.unscaled and self._inside is not optimizer:
            self._count(state, "past")

    def step_post(self, optimizer: Any) -> None:
        state = self._states.get(id(optimizer))
        if state is not None:
            state.backwards = self._probe.backwards
            state.unscaled = False

    def finished(self, reason: str) -> None:
        for clip in self._clips.values():
            self._probe.record(
                "gradient.clip",
                {
                    "function": clip.kind,
                    "optimizer": clip.optimizer.label if clip.optimizer else "",
                    "limit": clip.limit,
                    "looked": clip.looked,
                    "acting": clip.acting,
                    "stale": clip.stale,
                    "empty": clip.empty,
                    "scaled": clip.scaled,
                    "norm": clip.norm,
                    "norm_at_step": clip.at_step,
                    "scale": self._scale,
                },
                at=clip.at,
            )
        for label, counts in self._counts.items():
            facts = {"optimizer": label, **counts, "updates": self._updates, "scale": self._scale}
            facts["backward_at"] = self._backward_at
            self._probe.record("gradient.scaler", facts, at=counts["step_at"])


COLLECTOR = GradientChangeCollector
