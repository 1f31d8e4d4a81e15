"""Losses on held-out data: what a functional loss returns without gradients, pass by pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LINES = 8
MAX_PASSES = 400


class _Line:
    """The passes of one line: mean loss and the training loss then."""

    def __init__(self, at: Optional[dict[str, Any]]) -> None:
        self.at = at
        self.total = 0.0
        self.count = 0
        self.passes: list[list[float]] = []


class HeldOutCollector:
    """Averages held-out losses over each stretch without a backward call."""

    name: ClassVar[str] = "held_out"
    kinds: ClassVar[dict[str, str]] = {
        "loss.held_out": "per line that computes a loss without gradients: for each pass the "
        "backward calls before it, its mean loss, and the last training loss",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._lines: dict[Any, _Line] = {}

    def loss_made(self, name: str, output: Any, frame: Any) -> None:
        torch = self._probe.torch
        if torch.is_grad_enabled() or not isinstance(output, torch.Tensor) or output.numel() != 1:
            return
        caller = self._probe.user_frame(frame)
        key = None if caller is None else (caller.f_code, caller.f_lasti)
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) >= MAX_LINES:
                return
            line = self._lines[key] = _Line(self._probe.locate(caller))
        line.total += float(torch._C.TensorBase.item(output))
        line.count += 1

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        self._close()

    def _close(self) -> None:
        for line in self._lines.values():
            if line.count and len(line.passes) < MAX_PASSES:
                trained = self._probe.last_loss
                mean = line.total / line.count
                number = float(self._probe.backwards)
                line.passes.append([number, mean, float("nan") if trained is None else trained])
            line.total, line.count = 0.0, 0

    def finished(self, reason: str) -> None:
        self._close()
        for line in self._lines.values():
            if line.passes:
                self._probe.record("loss.held_out", {"passes": line.passes}, at=line.at)


COLLECTOR = HeldOutCollector
