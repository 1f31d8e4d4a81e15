"""What one answer gathers on its way to the report, and places as the report shows them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from diagnoser.fixes.patch import relative
from diagnoser.report.consulted import Consulted
from diagnoser.rules.engine import Verdict
from diagnoser.rules.examination import Examination
from diagnoser.runner.request import RunOutcome
from diagnoser.schema import Fix, Location, Question


@dataclass
class Work:
    """What one answer gathers on its way to the report."""

    question: Question
    kind: str
    folder: Path
    examination: Examination
    verdict: Verdict
    runs: list[RunOutcome] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    fix: Fix | None = None
    fixed: str = ""
    """The cause that the fix is for."""
    fix_note: str = ""
    consulted: Consulted | None = None
    """What came of asking the language model, if it was to be asked."""


def place_of(work: Work, place: Location | None) -> Location | None:
    """A place relative to the target's folder, with the source text of its line."""
    if place is None:
        return None
    return Location(
        file=relative(place.file, work.folder),
        line=place.line,
        cell=place.cell,
        code=place.code or work.examination.line(place),
    )
