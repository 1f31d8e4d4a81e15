"""Parameters that are frozen while their model trains, and when they were frozen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_CALLS = 200
MAX_NAMES = 12
LOOK_EVERY = 4


class FreezingCollector:
    """Lists frozen parameters of models that also have trainable ones, and the freezing calls."""

    name: ClassVar[str] = "freezing"
    kinds: ClassVar[dict[str, str]] = {
        "parameters.frozen": "at the last look, per model that is frozen in part: class, names, "
        "elements frozen and in all, of the frozen those that an optimizer holds",
        "parameters.switched": "per line that calls requires_grad_ on a module or tensor: updates "
        "before each call with False and with True, number of updates in the run",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._calls: dict[Any, dict[str, Any]] = {}
        self._held: set[int] = set()
        self._frozen: dict[int, dict[str, Any]] = {}

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._held |= {id(p) for group in optimizer.param_groups for p in group["params"]}

    def grad_switched(self, owner: Any, flag: bool, frame: Any) -> None:
        caller = self._probe.user_frame(frame)
        if caller is None or not isinstance(owner, self._probe.torch.nn.Module):
            return
        key = (caller.f_code, caller.f_lasti, id(owner))
        call = self._calls.get(key)
        if call is None:
            if len(self._calls) >= MAX_CALLS:
                return
            place = self._probe.locate(caller)
            call = {"class": type(owner).__name__, "off": [], "on": [], "at": place}
            call["ids"] = {id(parameter) for parameter in owner.parameters()}
            self._calls[key] = call
        steps = call["on" if flag else "off"]
        if len(steps) < MAX_CALLS:
            steps.append(self._probe.step)

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        """Look now and then: a model may be gone when the script ends."""
        if self._probe.backwards % LOOK_EVERY == 1 or self._probe.backwards <= LOOK_EVERY:
            self._look()

    def _look(self) -> None:
        for root in self._probe.models.roots():
            named = list(root.named_parameters())
            frozen = [(name, p) for name, p in named if not p.requires_grad]
            if not named or (not frozen and id(root) not in self._frozen):
                continue
            self._frozen[id(root)] = {
                "class": type(root).__name__,
                "names": [name for name, _ in frozen][:MAX_NAMES],
                "count": len(frozen),
                "whole": len(frozen) == len(named),
                "elements": sum(p.numel() for _, p in frozen),
                "of": sum(p.numel() for _, p in named),
                "held": sum(id(p) in self._held for _, p in frozen),
                "ids": {id(p) for _, p in frozen},
                "at": self._probe.models.sites.get(root),
            }

    def finished(self, reason: str) -> None:
        self._look()
        still: set[int] = set()
        for entry in self._frozen.values():
            still |= entry["ids"]
            if entry["count"] and not entry["whole"]:
                facts = {key: value for key, value in entry.items() if key not in ("ids", "at")}
                self._probe.record("parameters.frozen", facts, at=entry["at"])
        for call in self._calls.values():
            facts = {key: call[key] for key in ("class", "off", "on")}
            facts["updates"] = self._probe.step
            facts["still_frozen"] = bool(call["ids"] & still)
            self._probe.record("parameters.switched", facts, at=call["at"])


COLLECTOR = FreezingCollector
