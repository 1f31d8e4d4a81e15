"""Keep the learning rate of the first step throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class ConstantRate:
    """Steps use the rates of their optimizer's first step.

    What a scheduler sets is put back right after each step.
    """

    name: ClassVar[str] = "constant_rate"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the optimizers' own hooks are enough."""
        self._first: dict[int, list[Any]] = {}
        self._saved: dict[int, list[Any]] = {}

    def step_pre(self, optimizer: Any) -> None:
        rates = [group.get("lr") for group in optimizer.param_groups]
        first = self._first.setdefault(id(optimizer), rates)
        self._saved[id(optimizer)] = rates
        for group, rate, now in zip(optimizer.param_groups, first, rates):
            if rate is not None and rate != now:
                group["lr"] = rate
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


INTERVENTION = ConstantRate
