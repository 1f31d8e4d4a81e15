"""Multiply every learning rate by a factor during each optimizer step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class ScaleLearningRate:
    """Changes the groups' rates right before a step and puts the saved values back right after.

    Schedulers therefore see the rates that they set. Parameter `factor` (dimensionless).
    """

    name: ClassVar[str] = "scale_learning_rate"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._factor = float(params["factor"])
        self._saved: dict[int, list[Any]] = {}
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the optimizers' own hooks are enough."""

    def step_pre(self, optimizer: Any) -> None:
        self._saved[id(optimizer)] = [group.get("lr") for group in optimizer.param_groups]
        for group in optimizer.param_groups:
            if group.get("lr") is not None:
                group["lr"] = group["lr"] * self._factor
                self._count += 1

    def step_post(self, optimizer: Any) -> None:
        saved = self._saved.pop(id(optimizer), None)
        if saved is not None:
            for group, rate in zip(optimizer.param_groups, saved):
                if rate is not None:
                    group["lr"] = rate

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": False},
            essential=True,
        )


INTERVENTION = ScaleLearningRate
