"""What collectors share in one process: counters, phase, locations, names and the recorder."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Callable, Optional

from evidence_collectors.graph import Walk, walk
from evidence_collectors.locals_view import named_values
from evidence_collectors.models import Models
from evidence_collectors.recorder import Recorder
from evidence_collectors.schedule import near_power, next_power

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


class UpdateCount:
    """Steps of one optimizer so far."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


@dataclass
class Probe:
    """Shared state of one process; collectors read it, hooks advance it."""

    config: SeamConfig
    recorder: Recorder
    torch: Any = None
    numpy: Any = None
    step: int = 0
    """Optimizer updates so far, over all optimizers."""
    last_update: float = 0.0
    """When the last update ended, on the clock of time.perf_counter."""
    counts: dict[int, UpdateCount] = field(default_factory=dict)
    """Updates by id of the optimizer; collectors keep the object that `count_of` gives."""
    backwards: int = 0
    """Calls of backward so far."""
    last_loss: Optional[float] = None
    """Value of the loss of the last backward call that was read."""
    bad_loss: bool = False
    """Whether that value is NaN or inf."""
    losses_read: int = 0
    since_novelty: int = 0
    """Backward calls since something new appeared (an optimizer, a model, a call site)."""
    phase: str = "setup"
    quiet: bool = False
    """Between the steps that are looked at: only events that collectors want always are sent."""
    asleep: bool = False
    """Quiet, and nothing in this run (an intervention, a trace) wants each step."""
    demanding: bool = False
    """Something in this run wants each step."""
    walks: dict[int, Walk] = field(default_factory=dict)
    """Graphs of the roots of the backward call that begins, by id; empty at all other times."""
    emit: Callable[..., None] = lambda *_: None
    """Sends an event to the collectors; the hub sets it."""
    switches: list[Callable[[bool], None]] = field(default_factory=list)
    """Take hooks that send nothing in quiet steps out (True) or put them in again."""
    at_first_update: list[Callable[[], None]] = field(default_factory=list)
    """Run once, after the first optimizer update: hooks for what happens before it."""
    _next_backward: int = 0
    _next_step: int = 0
    """Backward calls and updates at which a quiet stretch ends."""
    keywords: dict[str, Any] = field(default_factory=dict)
    """Keyword arguments of the model call that is being entered."""
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
        known = self._user_files
        while frame is not None and depth < 60:
            name = frame.f_code.co_filename
            if known.get(name) or (name not in known and self.is_user_file(name)):
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

    def walk(self, tensor: Any) -> Walk:
        """What the graph of a loss reaches; walked once in each backward call, for all to read."""
        walked = self.walks.get(id(tensor))
        if walked is None:
            walked = self.walks[id(tensor)] = walk(tensor)
        return walked

    def sequence_below(self, tensors: Any) -> set[int]:
        """Autograd's sequence numbers of all operations below the roots of a backward call."""
        return set().union(*(self.walk(tensor).sequence for tensor in tensors))

    def count_of(self, optimizer: Any, *, fresh: bool = False) -> UpdateCount:
        """The count of an optimizer's updates; `fresh` when it has just been constructed."""
        count = None if fresh else self.counts.get(id(optimizer))
        if count is None:
            count = self.counts[id(optimizer)] = UpdateCount()
        return count

    def novelty(self) -> None:
        """Something new appeared: look closely again for a few backward calls."""
        self.since_novelty = 0
        self.look_up()

    def look_up(self) -> None:
        """End a quiet stretch until the next backward call."""
        if self.quiet:
            self.quiet = self.asleep = False
            for switch in self.switches:
                switch(False)

    def after_backward(self) -> None:
        """Count a backward call and decide whether the steps from here on are looked at."""
        self.backwards = backwards = self.backwards + 1
        self.since_novelty += 1
        if self.quiet and backwards < self._next_backward and self.step < self._next_step:
            return
        quiet = (
            self.since_novelty >= ATTENTIVE_BACKWARDS
            and not near_power(self.backwards, ATTENTIVE_WINDOW)
            and not near_power(self.step, ATTENTIVE_WINDOW)
        )
        if not quiet:
            self.look_up()
        elif not self.quiet:
            self.quiet, self.asleep = True, not self.demanding
            self._next_backward, self._next_step = next_power(backwards), next_power(self.step)
            for switch in self.switches:
                switch(True)


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
