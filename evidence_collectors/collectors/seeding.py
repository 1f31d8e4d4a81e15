"""Which lines seed a random stream, with what, and how often during training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LINES = 40
MAX_SEEDS = 8


class SeedingCollector:
    """Counts seeding calls by line, and the updates that had passed before each."""

    name: ClassVar[str] = "seeding"
    kinds: ClassVar[dict[str, str]] = {
        "seeds.called": "stream, seeds (the first eight), calls, updates looked at in which the "
        "line seeded with the seed that it had used before, updates looked at since its first "
        "call; lines of the call and its callers",
        "seeds.summary": "seeding calls looked at, by stream",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._lines: dict[Any, dict[str, Any]] = {}
        self._streams: dict[str, int] = {}

    def seeded(self, stream: str, seed: Any, frame: Any) -> None:
        self._streams[stream] = self._streams.get(stream, 0) + 1
        caller = self._probe.user_frame(frame)
        if caller is None:
            return
        key = (caller.f_code, caller.f_lasti)
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) >= MAX_LINES:
                return
            line = {"stream": stream, "seeds": [], "calls": 0, "repeated": 0, "updates": 0}
            line.update({"again": False, "stack": self._probe.user_stack(caller)})
            self._lines[key] = line
        value = seed if isinstance(seed, int) else str(seed)[:40]
        line["calls"] += 1
        line["again"] = seed is not None and value in line["seeds"]
        if value not in line["seeds"] and len(line["seeds"]) < MAX_SEEDS:
            line["seeds"].append(value)

    def step_post(self, optimizer: Any) -> None:
        for line in self._lines.values():
            line["updates"] += 1
            line["repeated"] += line["again"]
            line["again"] = False

    def finished(self, reason: str) -> None:
        for line in self._lines.values():
            facts = {key: value for key, value in line.items() if key != "again"}
            at = line["stack"][0] if line["stack"] else None
            self._probe.record("seeds.called", facts, at=at)
        self._probe.record("seeds.summary", {"streams": self._streams})


COLLECTOR = SeedingCollector
