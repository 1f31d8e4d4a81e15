"""Let frozen parameters that still hold their first random values be trained too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class Unfreeze:
    """Sets requires_grad of frozen parameters at their model's first training forward.

    Before the first update the optimizer gets those that it does not hold, in its first group, so
    that its rates and schedules apply to them. The first loss stays the same.
    """

    name: ClassVar[str] = "unfreeze"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._count = 0
        self._freed: dict[int, Any] = {}
        self._adopted: set[int] = set()

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch: the events of forward and step are enough."""

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if not module.training or not self._probe.torch.is_grad_enabled():
            return
        parameters = list(module.parameters())
        if not any(parameter.requires_grad for parameter in parameters):
            return  # a teacher or a target network
        for parameter in parameters:
            if not parameter.requires_grad and parameter.is_floating_point():
                parameter.requires_grad_(True)
                self._count += 1
                self._freed[id(parameter)] = parameter

    def step_pre(self, optimizer: Any) -> None:
        held = {id(p) for group in optimizer.param_groups for p in group["params"]}
        for key, parameter in self._freed.items():
            if key not in held and key not in self._adopted:
                self._adopted.add(key)
                optimizer.param_groups[0]["params"].append(parameter)

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": False},
            essential=True,
        )


INTERVENTION = Unfreeze
