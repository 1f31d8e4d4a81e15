"""A tenth of the learning rate in the last part of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class LateDecay:
    """From update `start` on each step uses a tenth of the rate that its group has then."""

    name: ClassVar[str] = "late_decay"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._start = int(params.get("start", 0))
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the optimizers' own hooks are enough."""
        self._saved: dict[int, list[Any]] = {}

    def step_pre(self, optimizer: Any) -> None:
        if self._probe.step < self._start:
            return
        self._saved[id(optimizer)] = [group.get("lr") for group in optimizer.param_groups]
        for group in optimizer.param_groups:
            if group.get("lr") is not None:
                group["lr"] = group["lr"] * 0.1
                self._count += 1

    def step_post(self, optimizer: Any) -> None:
        for group, rate in zip(optimizer.param_groups, self._saved.pop(id(optimizer), ())):
            if rate is not None:
                group["lr"] = rate

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": False},
            essential=True,
        )


INTERVENTION = LateDecay
