"""End a run at a step boundary, whatever the script's own exception handling does."""

from __future__ import annotations

import os
import sys
import threading
import time
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
        self._deadline = (
            None
            if probe.config.stop_after_seconds is None
            else probe.recorder.started + probe.config.stop_after_seconds
        )

    def check(self, boundaries: int) -> None:
        """Raise `StopRun` when enough was seen, or the steps or seconds given have passed."""
        config = self._probe.config
        reason = ""
        if config.stop_after_steps is not None and boundaries >= config.stop_after_steps:
            reason = "steps"
        elif self._deadline is not None and time.perf_counter() >= self._deadline:
            reason = "budget"
        elif self._probe.enough:
            reason = "answered"
        if not reason:
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
