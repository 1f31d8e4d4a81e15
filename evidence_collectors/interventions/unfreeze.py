"""Let frozen parameters that still hold their first random values be trained too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class Unfreeze(CountedChange):
    """Sets requires_grad of frozen parameters at their model's first training forward.

    Before the first update the optimizer gets those that it does not hold, in its first group, so
    that its rates and schedules apply to them. The first loss stays the same.
    """

    name: ClassVar[str] = "unfreeze"

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._freed: dict[int, Any] = {}
        self._adopted: set[int] = set()

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


INTERVENTION = Unfreeze
