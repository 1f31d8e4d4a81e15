"""Calls copies of the user's model on changed inputs, right after its first backward calls."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.reruns.analysis import Analysis, ModelCall
from evidence_collectors.reruns.call_trace import primary
from evidence_collectors.reruns.model_copy import ModelCopy
from evidence_collectors.row_origins import RowOrigins

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

ANALYSES = 3
"""Training calls of each model that are repeated."""
MAX_MODELS = 4
MAX_PENDING = 2
MAX_SECONDS = 0.5
"""A model whose one call takes longer is not called again."""
MAX_COPIES = 40
"""Calls of one model that are copied at most, with or without a backward call after them."""


class ModelRerunCollector:
    """What one sample, position or token moves; masks, states, targets against the inputs."""

    name: ClassVar[str] = "model_reruns"
    kinds: ClassVar[dict[str, str]] = {
        "model.samples": "one sample of a training batch replaced by another: which samples' "
        "outputs moved and how far, how the batch was drawn, axis of each softmax, time axis of "
        "each recurrent or attention layer against the axis of the samples",
        "targets.tokens": "share of targets that equal the model's input at the same and at the "
        "next position; how far outputs before, at and after a changed position moved",
        "attention.padding": "share of real and of filled positions that each attention leaves "
        "out, and how far the output moves when all real positions are replaced",
        "loss.positions": "share of real and of filled positions through which the loss has a "
        "gradient, and whether it pulls all of them to one value",
        "recurrent.state": "per recurrent layer: whether a training call starts from the state "
        "with which the call before ended, and how both batches were drawn",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._origins: Optional[RowOrigins] = None
        self._done: dict[int, int] = {}
        self._pending: list[ModelCall] = []
        self._copied: dict[int, int] = {}
        self._analysis: Optional[Analysis] = None

    def torch_ready(self, torch: Any) -> None:
        self._origins = RowOrigins(torch)
        self._analysis = Analysis(self._probe, self._origins)

    def rows_taken(self, source: Any, index: Any, output: Any, frame: Any) -> None:
        if self._origins is not None:
            self._origins.taken(index, output, self._probe.locate(frame))

    def loader_wait(self, loader: Any, seconds: float, batch: Any) -> None:
        if self._origins is not None:
            self._origins.batch(loader, batch)

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        torch = self._probe.torch
        if self._probe.quiet or not torch.is_grad_enabled():
            return
        done = self._done.get(id(module), 0)
        if done >= ANALYSES or (not done and len(self._done) >= MAX_MODELS):
            return
        if next(module.parameters(), None) is None or torch.nn.modules.module._global_forward_hooks:
            return
        line = (frame.f_code, frame.f_lasti)
        if any(call.module() is module and call.line == line for call in self._pending):
            return
        self._drop(module)
        copies = self._copied[id(module)] = self._copied.get(id(module), 0) + 1
        if copies > MAX_COPIES or not ModelCopy.is_possible(module):
            self._done[id(module)] = ANALYSES
            return
        try:
            made = ModelCopy(torch, self._probe.numpy, module, inputs, dict(self._probe.keywords))
        except Exception:  # whatever the user's classes raise when they are copied
            self._done[id(module)] = ANALYSES
            return
        self._drop_but(MAX_PENDING - 1)
        self._pending.append(ModelCall(module, made, self._probe.locate(frame), line))

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        for call in self._pending:
            if call.module() is module and call.output is None:
                call.seconds = time.perf_counter() - call.began
                found = primary(self._probe.torch, output)
                if found is not None and found.requires_grad:
                    call.output = found

                    def keep(gradient: Any, call: ModelCall = call) -> None:
                        call.gradient = gradient.detach()

                    call.handle = found.register_hook(keep)

    def loss_called(self, call: Any) -> None:
        torch = self._probe.torch
        if isinstance(call.target, torch.Tensor) and call.input.requires_grad:
            ignored = call.options.get("ignore_index", -100)
            entry = (call.target, ignored, self._probe.locate(call.frame))
            for pending in self._pending:
                if len(pending.targets) < 4:
                    pending.targets.append(entry)

    def step_post(self, optimizer: Any) -> None:
        self._drop()

    def finished(self, reason: str) -> None:
        self._drop()
        if self._analysis is not None:
            self._analysis.states.clear()

    def _drop(self, module: Any = None) -> None:
        """Forget the calls of one model, or all."""
        kept = []
        for call in self._pending:
            if module is not None and call.module() is not module:
                kept.append(call)
            elif call.handle is not None:
                call.handle.remove()
        self._pending = kept

    def _drop_but(self, count: int) -> None:
        """Keep the latest calls only."""
        for call in self._pending[: max(len(self._pending) - count, 0)]:
            if call.handle is not None:
                call.handle.remove()
        self._pending = self._pending[max(len(self._pending) - count, 0) :]

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        calls = self._pending
        self._drop()
        for call in calls:
            module = call.module()
            if module is None or call.gradient is None:
                continue
            done = self._done.get(id(module), 0)
            self._done[id(module)] = done + 1
            if call.seconds > MAX_SECONDS:
                self._done[id(module)] = ANALYSES
                continue
            try:
                assert self._analysis is not None
                self._analysis.read(call, id(module), closely=done < ANALYSES - 1)
            except Exception as error:  # the user's forward may refuse any changed input
                self._done[id(module)] = ANALYSES
                self._probe.record(
                    "collector.failed",
                    {"collector": self.name, "event": "rerun", "error": f"{error!r}"[:300]},
                )


COLLECTOR = ModelRerunCollector
