"""Layers that are constructed anew in each training step, so that nobody ever trains them.

A parameter counts as fresh if a module registered it after the last backward call and the loss of
the next one reaches it. Layers that an optimizer holds are not fresh: someone trains them.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 12
MAX_PENDING = 256
MAX_SITES = 8


class FreshParameterCollector:
    """Counts backward calls that reach parameters registered in that very step."""

    name: ClassVar[str] = "fresh_parameters"
    kinds: ClassVar[dict[str, str]] = {
        "parameters.fresh": "backward calls looked at (but the first), those that reach parameters "
        "registered since the call before and held by no optimizer; per construction line: class, "
        "such calls, names and shapes, line of the caller",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._pending: dict[int, tuple[Any, str, str, Any]] = {}
        self._optimizers: list[weakref.ref[Any]] = []
        self._looked = self._fresh = 0
        self._sites: dict[Any, dict[str, Any]] = {}

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._optimizers.append(weakref.ref(optimizer))

    def parameter_registered(self, module: Any, name: str, parameter: Any, frame: Any) -> None:
        if self._probe.quiet or len(self._pending) >= MAX_PENDING:
            return
        stack = self._probe.user_stack(frame, 2)
        self._pending[id(parameter)] = (weakref.ref(parameter), type(module).__name__, name, stack)

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        pending, self._pending = self._pending, {}
        if self._probe.backwards == 0 or self._probe.backwards > CLOSE_BACKWARDS:
            return
        self._looked += 1
        if not pending:
            return
        held = self._held()
        found: dict[Any, list[Any]] = {}
        for tensor in tensors:
            for leaf in self._probe.walk(tensor).leaves:
                entry = pending.get(id(leaf))
                if entry is not None and entry[0]() is leaf and id(leaf) not in held:
                    _, label, name, stack = entry
                    key = (label, str(stack[:1]))
                    found.setdefault(key, [label, stack]).append([name, list(leaf.shape)])
        self._fresh += bool(found)
        for key, (label, stack, *parameters) in found.items():
            if key not in self._sites and len(self._sites) >= MAX_SITES:
                continue
            site = self._sites.setdefault(
                key, {"class": label, "calls": 0, "parameters": parameters, "stack": stack}
            )
            site["calls"] += 1

    def _held(self) -> set[int]:
        return {
            id(parameter)
            for ref in self._optimizers
            if (optimizer := ref()) is not None
            for group in optimizer.param_groups
            for parameter in group["params"]
        }

    def finished(self, reason: str) -> None:
        at: Optional[dict[str, Any]] = None
        for site in self._sites.values():
            at = at or (site["stack"][0] if site["stack"] else None)
        self._probe.record(
            "parameters.fresh",
            {
                "looked": self._looked,
                "fresh": self._fresh,
                "sites": sorted(self._sites.values(), key=lambda site: -site["calls"]),
            },
            at=at,
        )


COLLECTOR = FreshParameterCollector
