"""Where a step's time goes: waiting for data, forward, backward, optimizer step, the rest."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class TimingCollector:
    """Adds up seconds by part between the first and the last optimizer step."""

    name: ClassVar[str] = "timing"
    always: ClassVar[tuple[str, ...]] = ("loader_wait",)
    kinds: ClassVar[dict[str, str]] = {
        "time.split": "seconds in data waiting, forward, backward and optimizer step (the last "
        "three scaled up from the steps looked at), wall seconds "
        "and number of updates since the first update (last record holds the totals)",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._parts = {"data": 0.0, "forward": 0.0, "backward": 0.0, "step": 0.0}
        self._began: Optional[float] = None
        self._mark = 0.0
        self._forward = 0.0
        self._backward = 0.0
        self._first = 0
        self._sampled = 0

    def loader_wait(self, loader: Any, seconds: float, batch: Any) -> None:
        if self._began is not None:
            self._parts["data"] += seconds

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        self._forward = time.perf_counter()

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        if self._began is not None:
            self._parts["forward"] += time.perf_counter() - self._forward

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        self._backward = time.perf_counter()

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._began is not None:
            self._parts["backward"] += time.perf_counter() - self._backward

    def step_pre(self, optimizer: Any) -> None:
        self._mark = time.perf_counter()

    def step_post(self, optimizer: Any) -> None:
        now = time.perf_counter()
        if self._began is None:
            self._began, self._first = now, self._probe.step + 1
            return
        self._parts["step"] += now - self._mark
        self._sampled += 1

    def heartbeat(self) -> None:
        self._write()

    def finished(self, reason: str) -> None:
        self._write()

    @property
    def _updates(self) -> int:
        """Updates since the first one."""
        return max(self._probe.step - self._first, 0)

    def _scaled(self, part: str) -> float:
        """Seconds of a part over all updates; all but the waiting are sampled."""
        seconds = self._parts[part]
        return seconds if part == "data" else seconds * self._updates / max(self._sampled, 1)

    def _write(self) -> None:
        if self._began is None:
            return
        self._probe.record(
            "time.split",
            {
                **{part: round(self._scaled(part), 6) for part in self._parts},
                "wall": round(max(self._probe.last_update - self._began, 0.0), 6),
                "updates": self._updates,
            },
        )


COLLECTOR = TimingCollector
