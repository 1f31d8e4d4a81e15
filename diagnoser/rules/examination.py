"""What the runs recorded, indexed by kind: the rules' only input."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Location

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Record:
    """One line of a process's record."""

    kind: str
    step: int
    phase: str
    t: float
    at: Location | None
    data: Mapping[str, Any]


@dataclass(frozen=True)
class ArmOutcome:
    """An intervention tried against the unchanged script under the same forced seeds."""

    intervention: str
    params: Mapping[str, Any]
    measure: str
    plain: tuple[float, ...]
    """The measure in the unchanged arm, one value per seed."""
    changed: tuple[float, ...]
    replaced: int
    """How often the intervention acted (0: the arm is invalid)."""
    valid: bool
    removed_symptom: bool
    note: str = ""


@dataclass(frozen=True)
class LossCurve:
    """The values of one backward call site, in order."""

    numbers: tuple[int, ...]
    values: tuple[float, ...]
    at: Location | None

    def edge(self, *, end: bool) -> float:
        """Median of the first or last twentieth of the finite values (three at least)."""
        finite = [value for value in self.values if math.isfinite(value)]
        if not finite:
            return math.nan
        count = max(3, len(finite) // 20)
        part = sorted(finite[-count:] if end else finite[:count])
        return part[len(part) // 2]


@dataclass(frozen=True)
class Examination:
    """All that is known about one question: records, exit, output, arms. Read-only."""

    records: tuple[Record, ...] = ()
    arms: tuple[ArmOutcome, ...] = ()
    words: str = ""
    asked: tuple[str, ...] = ()
    """Slugs of the symptoms that the question's words name."""
    exit: int | None = None
    stopped: str = ""
    ran: bool = False
    stdout: str = ""
    stderr: str = ""
    environment: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    """The user's own files, by absolute path."""

    def line(self, place: Location) -> str:
        """The source text at a place, stripped; "" if it is not the user's."""
        lines = lines_of(self.sources.get(place.file, ""))
        return lines[place.line - 1].strip() if 0 < place.line <= len(lines) else ""

    @cached_property
    def _by_kind(self) -> Mapping[str, tuple[Record, ...]]:
        index: dict[str, list[Record]] = {}
        for record in self.records:
            index.setdefault(record.kind, []).append(record)
        return {kind: tuple(records) for kind, records in index.items()}

    def of(self, kind: str) -> tuple[Record, ...]:
        """All records of a kind, in order."""
        return self._by_kind.get(kind, ())

    def last(self, kind: str) -> Record | None:
        """The last record of a kind, or None."""
        found = self.of(kind)
        return found[-1] if found else None

    def data(self, kind: str) -> Mapping[str, Any]:
        """The data of the last record of a kind; empty if there is none."""
        found = self.last(kind)
        return found.data if found is not None else _NOTHING

    @cached_property
    def curves(self) -> tuple[LossCurve, ...]:
        """Loss curves by backward call site, the longest first."""
        places = {record.data.get("site"): record.at for record in self.of("loss.last")}
        values: dict[Any, list[tuple[int, float]]] = {}
        for record in self.of("loss.value"):
            site = record.data.get("site", 0)
            values.setdefault(site, []).append((record.step, number(record.data.get("value"))))
        curves = [
            LossCurve(tuple(n for n, _ in pairs), tuple(v for _, v in pairs), places.get(site))
            for site, pairs in values.items()
        ]
        return tuple(sorted(curves, key=lambda curve: -len(curve.values)))

    @property
    def curve(self) -> LossCurve | None:
        """The main loss curve, or None when no loss was seen."""
        return self.curves[0] if self.curves else None

    @property
    def updates(self) -> int:
        """Optimizer updates in the run."""
        ended = self.data("run.end")
        return (
            int(ended.get("updates", 0))
            if ended
            else max((r.step for r in self.records), default=0)
        )

    def arm(
        self, intervention: str, strengths: tuple[Mapping[str, Any], ...] = ({},)
    ) -> ArmOutcome | None:
        """The outcome of an intervention in one of these strengths, the telling one first."""
        tried = [
            arm
            for arm in self.arms
            if arm.intervention == intervention
            and arm.valid
            and any(dict(arm.params) == dict(strength) for strength in strengths)
        ]
        for outcome in tried:
            if outcome.removed_symptom:
                return outcome
        return tried[0] if tried else None


def number(value: Any) -> float:
    """Read a recorded number; non-finite ones are written as text."""
    if value is None:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def location(raw: Any) -> Location | None:
    """Read a recorded place."""
    if not isinstance(raw, Mapping) or "file" not in raw or "line" not in raw:
        return None
    return Location(file=str(raw["file"]), line=int(raw["line"]))


def parse_records(raw: Iterable[Mapping[str, Any]]) -> tuple[Record, ...]:
    """Turn the runner's raw lines into records."""
    return tuple(
        Record(
            kind=str(line.get("kind", "")),
            step=int(line.get("step", 0) or 0),
            phase=str(line.get("phase", "")),
            t=number(line.get("t")),
            at=location(line.get("at")),
            data=line.get("data") or {},
        )
        for line in raw
    )
