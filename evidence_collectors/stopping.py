"""End a run at a step boundary, whatever the script's own exception handling does."""

from __future__ import annotations

import math
import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

GRACE_SECONDS = 2.0
"""A clean stop that has not ended the process after this long is forced (a bare except)."""


class StopRun(BaseException):
    """Raised at a step boundary to end the script; not an error of the user's."""


class Stopper:
    """Decides at each step boundary whether the run has seen enough."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._raised = False
        steps, seconds = probe.config.stop_after_steps, probe.config.stop_after_seconds
        self.steps = math.inf if steps is None else steps
        self.deadline = math.inf if seconds is None else probe.recorder.started + seconds

    def check(self, boundaries: int, now: float) -> None:
        """Raise `StopRun` when enough was seen, or the steps or seconds given have passed.

        `now` is in seconds on the clock of `time.perf_counter`.
        """
        if boundaries >= self.steps:
            reason = "steps"
        elif now >= self.deadline:
            reason = "budget"
        elif self._probe.enough:
            reason = "answered"
        else:
            return
        if self._raised:
            self._force()
        self._raised = True
        self._probe.record("run.stopped", {"reason": reason}, essential=True)
        if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
            self._force()
        timer = threading.Timer(GRACE_SECONDS, self._force)
        timer.daemon = True
        timer.start()
        raise StopRun(reason)

    def _force(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                continue
        multiprocessing = sys.modules.get("multiprocessing")
        if multiprocessing is not None:
            for child in multiprocessing.active_children():
                child.kill()
        os._exit(0)
