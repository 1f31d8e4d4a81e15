"""Optimizers: construction, clearing, and the boundaries of each step."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


BEAT_SECONDS = 2.0
"""The event `heartbeat` comes about this often, between updates."""


def install(seam: Seam, torch: Any) -> None:
    """Emit optimizer_created, zeroed, step_pre and step_post; stop the run at step boundaries."""
    probe, hub, stopper = seam.probe, seam.hub, seam.stopper
    from torch.optim.optimizer import (
        register_optimizer_step_post_hook,
        register_optimizer_step_pre_hook,
    )

    counts, clock = probe.counts, time.perf_counter
    last_step, deadline = stopper.steps, stopper.deadline
    next_beat = 0.0

    def pre(optimizer: Any, args: Any, kwargs: Any) -> None:
        if not probe.asleep:
            hub.emit("step_pre", optimizer)

    def post(optimizer: Any, args: Any, kwargs: Any) -> None:
        nonlocal next_beat
        count = counts.get(id(optimizer))
        if count is None or not count.steps:
            count = probe.count_of(optimizer)
            if probe.quiet:
                probe.novelty()
        if not probe.asleep:
            hub.emit("step_post", optimizer)
        count.steps += 1
        probe.step += 1
        while probe.at_first_update:
            probe.at_first_update.pop()()
        probe.last_update = now = clock()
        if now >= next_beat:
            next_beat = now + BEAT_SECONDS
            hub.emit("heartbeat")
        if now >= deadline or probe.step >= last_step or probe.enough:
            stopper.check(probe.step, now)

    seam.patches.on_undo(register_optimizer_step_pre_hook(pre).remove)
    seam.patches.on_undo(register_optimizer_step_post_hook(post).remove)

    def make_init(original: Callable[..., None]) -> Callable[..., None]:
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            probe.novelty()
            probe.count_of(self, fresh=True)
            hub.emit("optimizer_created", self, sys._getframe(1))

        return __init__

    def make_zero(original: Callable[..., Any]) -> Callable[..., Any]:
        def zero_grad(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not probe.asleep:
                hub.emit("zeroed", self, sys._getframe(1))
            return original(self, *args, **kwargs)

        return zero_grad

    seam.patches.replace(torch.optim.Optimizer, "__init__", make_init)
    seam.patches.replace(torch.optim.Optimizer, "zero_grad", make_zero)
    seam.patches.replace(torch.nn.Module, "zero_grad", make_zero)
