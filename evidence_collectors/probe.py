"""What collectors share in one process: counters, phase, locations, names and the recorder."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Optional

from evidence_collectors.locals_view import named_values
from evidence_collectors.models import Models
from evidence_collectors.recorder import Recorder
from evidence_collectors.schedule import near_power

ATTENTIVE_BACKWARDS = 24
"""Backward calls after something new during which every event is sent to every collector."""
ATTENTIVE_WINDOW = 5
"""Steps (and backward calls) from each power of two on that are looked at as closely."""
_LIBRARY_MARKS = ("site-packages", "dist-packages", "evidence_collectors", "/lib/python", "<frozen")


@dataclass(frozen=True)
class SeamConfig:
    """The configuration of one run, read from the JSON file that the host wrote."""

    record_dir: str
    script: Optional[str] = None
    roots: tuple[str, ...] = ()
    steps: int = 200
    seed: Optional[int] = None
    interventions: tuple[dict[str, Any], ...] = ()
    stop_after_steps: Optional[int] = None
    stop_after_seconds: Optional[float] = None
    collectors: Optional[tuple[str, ...]] = None
    watch_from: int = 0
    """Backward calls after which heavy collectors begin."""


@dataclass
class Probe:
    """Shared state of one process; collectors read it, hooks advance it."""

    config: SeamConfig
    recorder: Recorder
    torch: Any = None
    numpy: Any = None
    step: int = 0
    """Optimizer updates so far, over all optimizers."""
    backwards: int = 0
    """Calls of backward so far."""
    last_loss: Optional[float] = None
    """Value of the loss of the last backward call that was read."""
    since_novelty: int = 0
    """Backward calls since something new appeared (an optimizer, a model, a call site)."""
    phase: str = "setup"
    quiet: bool = False
    """Between the steps that are looked at: only events that collectors want always are sent."""
    enough: bool = False
    """Set by a collector that has seen what the run was made for."""
    models: Models = field(default_factory=Models)
    _user_files: dict[str, bool] = field(default_factory=dict)

    def is_user_file(self, name: str) -> bool:
        """Whether a code object's file is the user's own (below a root, not a library)."""
        known = self._user_files.get(name)
        if known is None:
            path = name if os.path.isabs(name) else os.path.abspath(name)
            known = (
                not name.startswith("<")
                and not any(mark in path for mark in _LIBRARY_MARKS)
                and any(path.startswith(root) for root in self.config.roots)
            )
            self._user_files[name] = known
        return known

    def user_frame(self, frame: Optional[FrameType]) -> Optional[FrameType]:
        """Return the innermost frame at or outside `frame` that runs the user's own code."""
        depth = 0
        while frame is not None and depth < 60:
            if self.is_user_file(frame.f_code.co_filename):
                return frame
            frame = frame.f_back
            depth += 1
        return None

    def locate(self, frame: Optional[FrameType]) -> Optional[dict[str, Any]]:
        """File, line and function of the user's own frame, or None."""
        found = self.user_frame(frame)
        if found is None:
            return None
        code = found.f_code
        return {
            "file": os.path.abspath(code.co_filename),
            "line": found.f_lineno,
            "function": code.co_name,
        }

    def outside_frame(self, frame: Optional[FrameType], owner: Any) -> Optional[FrameType]:
        """The user's innermost frame that is no method of `owner`, else the innermost one."""
        first = found = self.user_frame(frame)
        while found is not None:
            if named_values(found).get("self") is not owner:
                return found
            found = self.user_frame(found.f_back)
        return first

    def user_stack(self, frame: Optional[FrameType], depth: int = 4) -> list[dict[str, Any]]:
        """The user's own lines on the stack, innermost first."""
        stack: list[dict[str, Any]] = []
        found = self.user_frame(frame)
        while found is not None and len(stack) < depth:
            place = self.locate(found)
            if place is not None:
                stack.append(place)
            found = self.user_frame(found.f_back)
        return stack

    def record(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        at: Optional[dict[str, Any]] = None,
        essential: bool = False,
    ) -> None:
        """Write one record at the current step and phase."""
        self.recorder.write(
            kind, data, step=self.step, phase=self.phase, at=at, essential=essential
        )

    def novelty(self) -> None:
        """Something new appeared: look closely again for a few backward calls."""
        self.since_novelty = 0
        self.quiet = False

    def after_backward(self) -> None:
        """Count a backward call and decide whether the steps from here on are looked at."""
        self.backwards += 1
        self.since_novelty += 1
        self.quiet = (
            self.since_novelty >= ATTENTIVE_BACKWARDS
            and not near_power(self.backwards, ATTENTIVE_WINDOW)
            and not near_power(self.step, ATTENTIVE_WINDOW)
        )


def read_config(path: str) -> SeamConfig:
    """Read the host's configuration file; unknown keys are ignored."""
    import json

    raw = json.loads(Path(path).read_text(encoding="utf-8"))
    script = raw.get("script")
    roots = tuple(os.path.abspath(root).rstrip(os.sep) + os.sep for root in raw.get("roots", ()))
    if script and not roots:
        roots = (os.path.dirname(os.path.abspath(script)) + os.sep,)
    collectors = raw.get("collectors")
    return SeamConfig(
        record_dir=raw["record_dir"],
        script=script,
        roots=roots,
        steps=int(raw.get("steps", 200)),
        seed=raw.get("seed"),
        interventions=tuple(raw.get("interventions", ())),
        stop_after_steps=raw.get("stop_after_steps"),
        stop_after_seconds=raw.get("stop_after_seconds"),
        collectors=None if collectors is None else tuple(collectors),
        watch_from=int(raw.get("watch_from", 0)),
    )
