"""Train/eval mode and grad mode at each call of a model, told apart by what the call was for.

A forward was for training if its output's operation lies in the graph of a later backward; modes
and grad flags alone mislead. A call that no backward uses and whose output feeds no other model's
call was an evaluation. Only layers and functions that behave differently in the two modes count.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.graph import sequence_number

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 4
PATIENCE = 2
"""A forward that this many walked backward calls did not use was not for training."""
MAX_PENDING = 256


class _Site:
    """Calls of one model from one line in one mode."""

    def __init__(
        self, module: Any, label: str, at: Optional[dict[str, Any]], flags: dict[str, Any]
    ):
        self.module = weakref.ref(module)
        self.label = label
        self.at = at
        self.flags = flags
        self.calls = 0
        self.used = 0
        self.unused = 0
        self.feeds = 0
        self.first_step = 0
        self.last_step = 0
        self.first_backward = 0
        self.noise_on = 0
        self.noise_off = 0
        self.mixed = 0
        self.train_set_since_update = 0
        self.batch: list[int] = []


class ModeCollector:
    """Counts training and evaluation calls by model, line and mode."""

    name: ClassVar[str] = "modes"
    kinds: ClassVar[dict[str, str]] = {
        "mode.calls": "per model, line, training flag and grad flag: calls, calls that a "
        "backward used, calls that fed another model, mode-sensitive layers or functions that "
        "are active and inactive",
        "mode.set": "a train() or eval() call: mode, line, how often, first and last update",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._sites: dict[Any, _Site] = {}
        self._pending: list[list[Any]] = []
        self._outputs: dict[int, tuple[_Site, list[int]]] = {}
        self._sets: dict[Any, dict[str, Any]] = {}
        self._sensitive: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()
        self._current: Optional[_Site] = None
        self._train_set_at = -1
        self._walks_due = 0

    def mode_set(self, module: Any, training: bool, frame: Any) -> None:
        caller = self._probe.user_frame(frame)
        key = (caller.f_code, caller.f_lineno, training) if caller is not None else training
        known = self._sets.get(key)
        if known is None:
            known = {
                "training": training,
                "class": type(module).__name__,
                "at": self._probe.locate(frame),
                "count": 0,
                "first": self._probe.step,
                "last": self._probe.step,
            }
            self._sets[key] = known
            self._probe.novelty()
        known["count"] += 1
        known["last"] = self._probe.step
        if training:
            self._train_set_at = self._probe.step

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        grad = bool(self._probe.torch.is_grad_enabled())
        key = (id(module), frame.f_code, frame.f_lineno, module.training, grad)
        site = self._sites.get(key)
        if site is None or site.module() is not module:
            caller_is_torch = "torch" in str(frame.f_globals.get("__name__", "")).split(".")[:1]
            site = _Site(
                module,
                type(module).__name__,
                self._probe.locate(self._probe.outside_frame(frame, module)),
                {"training": bool(module.training), "grad": grad, "library": caller_is_torch},
            )
            site.first_step = self._probe.step
            site.first_backward = self._probe.backwards
            self._sites[key] = site
            self._probe.look_up()
            if grad:
                self._walks_due = CLOSE_BACKWARDS
        site.calls += 1
        site.last_step = self._probe.step
        self._current = site
        if site.calls <= 8:
            self._look(site, module, inputs)

    def _look(self, site: _Site, module: Any, inputs: Any) -> None:
        on, off = self._states(module)
        site.noise_on += on
        site.noise_off += off
        site.mixed += bool(on and off)
        if module.training and self._train_set_at == self._probe.step and self._probe.step > 0:
            site.train_set_since_update += 1
        for value in inputs:
            if isinstance(value, self._probe.torch.Tensor):
                if not site.batch:
                    site.batch = list(value.shape)
                feeder = self._feeder(value)
                if feeder is not None and feeder.module() is not module:
                    feeder.feeds += 1

    def _feeder(self, value: Any) -> Optional[_Site]:
        """The call whose output (or a detached alias of it) this input is."""
        known = self._outputs.get(value.data_ptr()) if value.numel() else None
        if known is None or known[1] != list(value.shape):
            return None
        return known[0]

    def noise_called(self, name: str, active: bool) -> None:
        site = self._current
        if site is not None and site.calls <= 8:
            if active:
                site.noise_on += 1
            else:
                site.noise_off += 1

    def _states(self, module: Any) -> tuple[int, int]:
        """How many mode-sensitive layers without functional form (recurrent) are on and off."""
        layers = self._sensitive.get(module)
        if layers is None:
            layers = [
                layer
                for layer in module.modules()
                if (type(layer).__name__ in ("LSTM", "GRU", "RNN") and layer.dropout > 0)
                or (type(layer).__name__ == "MultiheadAttention" and layer.dropout > 0)
            ]
            self._sensitive[module] = layers
        on = sum(1 for layer in layers if layer.training)
        return on, len(layers) - on

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        site, self._current = self._current, None
        if site is None:
            return
        first = _first_tensor(self._probe.torch, output)
        if first is None:
            return
        if site.calls <= 8:
            if len(self._outputs) > 64:
                self._outputs.clear()
            self._outputs[first.data_ptr()] = (site, list(first.shape))
        number = sequence_number(first)
        if number >= 0 and len(self._pending) < MAX_PENDING:
            self._pending.append([site, number, 0])

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if not self._pending:
            return
        crowded = len(self._pending) > 1 and self._probe.backwards % 16 < PATIENCE + 1
        if self._probe.since_novelty >= CLOSE_BACKWARDS and self._walks_due <= 0 and not crowded:
            self._pending = []
            return
        self._walks_due -= 1
        inside = self._probe.sequence_below(tensors)
        kept = []
        for entry in self._pending:
            site, number, age = entry
            if number in inside:
                site.used += 1
            elif age + 1 >= PATIENCE:
                site.unused += 1
            else:
                kept.append([site, number, age + 1])
        self._pending = kept

    def finished(self, reason: str) -> None:
        for site, _, _ in self._pending:
            site.unused += 1
        for site in self._sites.values():
            self._probe.record(
                "mode.calls",
                {
                    "class": site.label,
                    **site.flags,
                    "function": None if site.at is None else site.at["function"],
                    "calls": site.calls,
                    "used": site.used,
                    "unused": site.unused,
                    "feeds": site.feeds,
                    "active": site.noise_on,
                    "inactive": site.noise_off,
                    "mixed": site.mixed,
                    "train_set_just_before": site.train_set_since_update,
                    "first_step": site.first_step,
                    "last_step": site.last_step,
                    "batch": site.batch,
                    "model": id(site.module()) if site.module() is not None else 0,
                    "trained": self._is_trained(site),
                },
                at=site.at,
            )
        for known in self._sets.values():
            self._probe.record(
                "mode.set",
                {
                    **{key: value for key, value in known.items() if key != "at"},
                    "function": None if known["at"] is None else known["at"]["function"],
                },
                at=known["at"],
            )

    def _is_trained(self, site: _Site) -> bool:
        return any(
            other.used and other.label == site.label and other.module() is site.module()
            for other in self._sites.values()
        )


def _first_tensor(torch: Any, output: Any) -> Any:
    if isinstance(output, torch.Tensor):
        return output
    if isinstance(output, (tuple, list)):
        for item in output:
            found = _first_tensor(torch, item)
            if found is not None:
                return found
    if isinstance(output, dict):
        return _first_tensor(torch, list(output.values()))
    return None


COLLECTOR = ModeCollector
