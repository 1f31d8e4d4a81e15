"""Where learning-rate schedules are stepped, and how often beside the updates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LINES = 16


class ScheduleCollector:
    """Counts the calls of a schedule's step by line, in the steps that are looked at."""

    name: ClassVar[str] = "schedules"
    kinds: ClassVar[dict[str, str]] = {
        "schedule.stepped": "class of the schedule, calls from this line looked at, updates before "
        "the first and the last of them; line",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._lines: dict[Any, dict[str, Any]] = {}

    def schedule_stepped(self, schedule: Any, frame: Any) -> None:
        caller = self._probe.user_frame(frame)
        if caller is None:
            return
        key = (caller.f_code, caller.f_lasti)
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) >= MAX_LINES:
                return
            line = {"class": type(schedule).__name__, "calls": 0, "first": self._probe.step}
            line["at"] = self._probe.locate(caller)
            self._lines[key] = line
        line["calls"] += 1
        line["last"] = self._probe.step

    def finished(self, reason: str) -> None:
        for line in self._lines.values():
            facts = {key: value for key, value in line.items() if key != "at"}
            self._probe.record("schedule.stepped", facts, at=line["at"])


COLLECTOR = ScheduleCollector
