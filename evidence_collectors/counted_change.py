"""What interventions share: the counter of what they replaced, and settings changed for one step.

An arm whose counter is 0 is refused by the host; one that does not act on the first loss must leave
that loss bit for bit as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class CountedChange:
    """One thing changed from outside; subclasses count each time they act in `_count`."""

    name: ClassVar[str]
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }
    from_first_loss: ClassVar[bool] = False
    """Whether it acts before the first backward call."""

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Nothing to patch, unless a subclass does: the hub's events are enough."""

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {
                "name": self.name,
                "replaced": self._count,
                "from_first_loss": self.from_first_loss,
            },
            essential=True,
        )


class GroupChange(CountedChange):
    """Changes one setting of the optimizers' groups right before a step, and puts it back after.

    Schedulers and the script therefore see the values that they set.
    """

    option: ClassVar[str]

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._saved: dict[int, list[Any]] = {}

    def changed(self, optimizer: Any, index: int, value: Any) -> Optional[Any]:
        """What the group at `index` has instead of `value` in this step; None leaves it."""
        raise NotImplementedError

    def step_pre(self, optimizer: Any) -> None:
        groups = optimizer.param_groups
        self._saved[id(optimizer)] = [group.get(self.option) for group in groups]
        for index, group in enumerate(groups):
            value = group.get(self.option)
            instead = None if value is None else self.changed(optimizer, index, value)
            if instead is not None:
                group[self.option] = instead
                self._count += 1

    def step_post(self, optimizer: Any) -> None:
        for group, value in zip(optimizer.param_groups, self._saved.pop(id(optimizer), ())):
            if value is not None:
                group[self.option] = value
