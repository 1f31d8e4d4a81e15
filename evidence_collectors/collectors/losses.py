"""The loss at each backward: value, where, the caller's named tensors, and the graph above it."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.describe import shape_facts
from evidence_collectors.graph import chain
from evidence_collectors.locals_view import named_values
from evidence_collectors.schedule import dense_then_sparse

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 3
MAX_NAMES = 16


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
        self._due = dense_then_sparse(probe.config.steps)
        self._sites: dict[tuple[Any, int], list[Any]] = {}
        self._recent: deque[float] = deque(maxlen=8)
        self._nonfinite = False
        self._written = -1

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        loss = tensors[0]
        number = self._probe.backwards
        caller = frame if self._is_user(frame) else self._probe.user_frame(frame)
        key = (caller.f_code, caller.f_lineno) if caller is not None else (None, 0)
        site = self._sites.get(key)
        if site is None:
            site = [
                0,
                self._probe.locate(frame),
                None,
                None,
                math.inf,
                -math.inf,
                0,
                len(self._sites),
            ]
            self._sites[key] = site
        value = None
        if loss.numel() == 1 and (not loss.is_cuda or self._due(number)):
            value = self._probe.last_loss = self._item(loss)
        if value is not None:
            self._note(site, value, number, caller)
        if self._probe.since_novelty < CLOSE_BACKWARDS or site[0] < CLOSE_BACKWARDS:
            self._describe(loss, value, caller, site)
        site[0] += 1

    def _item(self, loss: Any) -> float:
        """The value, past our own hook on `item`."""
        return float(self._probe.torch._C.TensorBase.item(loss))

    def _is_user(self, frame: Any) -> bool:
        return frame is not None and self._probe.is_user_file(frame.f_code.co_filename)

    def _note(self, site: list[Any], value: float, number: int, caller: Any) -> None:
        if site[2] is None:
            site[2] = value
        site[3] = value
        if math.isfinite(value):
            site[4] = min(site[4], value)
            site[5] = max(site[5], value)
        else:
            site[6] += 1
        if self._due(number):
            self._probe.recorder.write_number(
                "loss.value", value, number, self._probe.phase, site[7]
            )
            self._written = number
        if not math.isfinite(value) and not self._nonfinite:
            self._nonfinite = True
            self._probe.record(
                "loss.nonfinite",
                {
                    "value": value,
                    "backward": number,
                    "before": list(self._recent),
                    "tensors": self._facts(caller),
                },
                at=site[1],
                essential=True,
            )
        self._recent.append(value)

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

    def _describe(self, loss: Any, value: Optional[float], caller: Any, site: list[Any]) -> None:
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
            at=site[1],
        )

    def finished(self, reason: str) -> None:
        for site in self._sites.values():
            self._probe.record(
                "loss.last",
                {
                    "count": site[0],
                    "first": site[2],
                    "last": site[3],
                    "least": site[4],
                    "greatest": site[5],
                    "nonfinite": site[6],
                    "site": site[7],
                },
                at=site[1],
            )


COLLECTOR = LossCollector
