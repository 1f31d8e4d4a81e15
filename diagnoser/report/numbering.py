"""Gives facts their ids, in the order in which they are cited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from diagnoser.fixes.patch import relative
from diagnoser.report.work import Work, place_of
from diagnoser.rules.base import Fact
from diagnoser.schema import Evidence


class Numbering:
    """Gives facts their ids, E1, E2 …, in the order in which they are cited."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._ids: dict[tuple[str, str], str] = {}
        self.evidence: list[Evidence] = []

    def cite(self, facts: Sequence[Fact], level: int) -> tuple[str, ...]:
        """Ids of facts; new ones become evidence."""
        return tuple(self._one(fact, level) for fact in facts)

    def _one(self, fact: Fact, level: int) -> str:
        key = (fact.kind, fact.summary)
        if key not in self._ids:
            self._ids[key] = f"E{len(self._ids) + 1}"
            self.evidence.append(
                Evidence(
                    id=self._ids[key],
                    collector=fact.kind.split(".")[0],
                    kind=fact.kind,
                    level=level,
                    step=fact.step,
                    location=place_of(self._work, fact.at),
                    summary=fact.summary,
                    data=_relative_data(dict(fact.data), self._work.folder),
                )
            )
        return self._ids[key]


def _relative_data(value: Any, folder: Path) -> Any:
    """Paths inside a fact's data relative to the target's folder."""
    if isinstance(value, dict):
        return {
            key: relative(item, folder)
            if key == "file" and isinstance(item, str)
            else _relative_data(item, folder)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_relative_data(item, folder) for item in value]
    return value
