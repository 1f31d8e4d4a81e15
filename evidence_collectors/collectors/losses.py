"""The loss at each backward: value, where, the caller's named tensors, and the graph above it."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.describe import shape_facts
from evidence_collectors.graph import chain
from evidence_collectors.locals_view import named_values
from evidence_collectors.schedule import stride_after

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 3
MAX_NAMES = 16


_NOWHERE = (None, 0)


class _Site:
    """The losses of one line that calls backward."""

    __slots__ = ("at", "count", "first", "greatest", "last", "least", "nonfinite", "number")

    def __init__(self, number: int, at: Optional[dict[str, Any]]) -> None:
        self.number = number
        self.at = at
        self.count = self.nonfinite = 0
        self.first: Optional[float] = None
        self.last: Optional[float] = None
        self.least, self.greatest = math.inf, -math.inf


class LossCollector:
    """Records loss values: all at first, then sparsely, always the first bad one and the last."""

    name: ClassVar[str] = "losses"
    always: ClassVar[tuple[str, ...]] = ("backward_enter",)
    kinds: ClassVar[dict[str, str]] = {
        "loss.value": "value of the loss at this backward call (step counts backward calls)",
        "loss.backward": "shape, line, grad_fn chain and the caller's named tensors",
        "loss.nonfinite": "the first backward call whose loss is NaN or inf, and the values before",
        "loss.last": "number of backward calls, first, last, least and greatest finite value",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._due = 0
        """Number of the next backward call whose loss is written."""
        self._read: Any = None
        """Reads a value past our own hook on `item`."""
        self._sites: dict[tuple[Any, int], _Site] = {}
        self._recent: deque[float] = deque(maxlen=8)
        self._nonfinite = False

    def torch_ready(self, torch: Any) -> None:
        self._read = torch._C.TensorBase.item

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        probe, loss = self._probe, tensors[0]
        number = probe.backwards
        caller = probe.user_frame(frame)
        key = (caller.f_code, caller.f_lasti) if caller is not None else _NOWHERE
        site = self._sites.get(key)
        if site is None:
            site = self._sites[key] = _Site(len(self._sites), probe.locate(frame))
        value = None
        if loss.numel() == 1 and (not loss.is_cuda or number >= self._due):
            value = site.last = probe.last_loss = float(self._read(loss))
            probe.losses_read += 1
            if value - value == 0.0:
                probe.bad_loss = False
                if value < site.least:
                    site.least = value
                if value > site.greatest:
                    site.greatest = value
            else:
                probe.bad_loss = True
                self._note_nonfinite(site, value, caller)
            if site.first is None:
                site.first = value
            if number >= self._due:
                self._due = number + stride_after(number, probe.config.steps)
                probe.recorder.write_number("loss.value", value, number, probe.phase, site.number)
            self._recent.append(value)
        if site.count < CLOSE_BACKWARDS or probe.since_novelty < CLOSE_BACKWARDS:
            self._describe(loss, value, caller, site)
        site.count += 1

    def _note_nonfinite(self, site: _Site, value: float, caller: Any) -> None:
        site.nonfinite += 1
        if self._nonfinite:
            return
        self._nonfinite = True
        self._probe.record(
            "loss.nonfinite",
            {
                "value": value,
                "backward": self._probe.backwards,
                "before": list(self._recent),
                "tensors": self._facts(caller),
            },
            at=site.at,
            essential=True,
        )

    def _facts(self, caller: Any) -> dict[str, Any]:
        from evidence_collectors.describe import value_facts

        if caller is None:
            return {}
        return {
            name: value_facts(self._probe.torch, tensor)
            for name, tensor in list(self._named(caller).items())[:MAX_NAMES]
        }

    def _named(self, caller: Any) -> dict[str, Any]:
        return {
            name: value
            for name, value in named_values(caller).items()
            if isinstance(value, self._probe.torch.Tensor)
        }

    def _describe(self, loss: Any, value: Optional[float], caller: Any, site: _Site) -> None:
        named = self._named(caller) if caller is not None else {}
        self._probe.record(
            "loss.backward",
            {
                "backward": self._probe.backwards,
                "value": value,
                "loss": shape_facts(loss),
                "leaf": bool(loss.is_leaf),
                "chain": chain(loss),
                "tensors": {
                    name: shape_facts(tensor) for name, tensor in list(named.items())[:MAX_NAMES]
                },
            },
            at=site.at,
        )

    def finished(self, reason: str) -> None:
        for site in self._sites.values():
            self._probe.record(
                "loss.last",
                {
                    "count": site.count,
                    "first": site.first,
                    "last": site.last,
                    "least": site.least,
                    "greatest": site.greatest,
                    "nonfinite": site.nonfinite,
                    "site": site.number,
                },
                at=site.at,
            )


COLLECTOR = LossCollector
