"""Judges one answer against its case's label. Pure.

The first candidate is the first one that is not refuted. *Top-1, plain*: it stands in `causes` or
`accept`; *top-1, said*: and the status is `diagnosed`. *Right line*: the first location of the
first candidate is within 2 lines of a listed one in the same file (and cell).
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import Literal

from diagnoser.evaluate.cases import Case, Place
from diagnoser.schema import Candidate, Location, Report

LINES = 2
SETTLED = ("confirmed", "observed")
NOTHING = "nothing"
Kind = Literal["broken", "fixed", "blind"]


@dataclass(frozen=True)
class Answer:
    """What came of one question; without a report it is unscored, and `error` says why.

    `kind` is "fixed" where the right answer is that nothing is wrong: a fixed/ or a clean case.
    `root` is the folder in which the question was asked, `printed_like_fixed` whether the repaired
    script printed what fixed/ prints (None: no verified fix, so that was not looked at).
    """

    case: Case
    kind: Kind
    report: Report | None
    error: str = ""
    seconds: float = 0.0
    root: str = ""
    printed_like_fixed: bool | None = None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates that are not refuted, best first."""
        listed = self.report.candidates if self.report is not None else ()
        return tuple(entry for entry in listed if entry.grade != "refuted")

    @property
    def diagnosed(self) -> bool:
        """Whether the answer states a fault."""
        return self.report is not None and self.report.status == "diagnosed"

    @property
    def said(self) -> str:
        """The cause that the answer states, or "nothing"."""
        return self.candidates[0].cause if self.diagnosed and self.candidates else NOTHING

    @property
    def settled(self) -> set[str]:
        """The causes graded observed or confirmed."""
        return {entry.cause for entry in self.candidates if entry.grade in SETTLED}

    @property
    def offers_fix(self) -> bool:
        """Whether a fault is stated and exact edits are given."""
        diagnosis = self.report.diagnosis if self.report is not None else None
        return self.diagnosed and diagnosis is not None and bool(diagnosis.fix.edits)


def is_right(case: Case, cause: str) -> bool:
    """Whether a cause is a label, or one that a fair judge accepts."""
    return cause in case.causes or cause in case.accept


def said_right(answer: Answer) -> bool:
    """Top-1 as it is quoted: the right cause, and said."""
    return is_right(answer.case, answer.said)


def rank_of_right(answer: Answer) -> int | None:
    """The place of the first right candidate, from 1; None if it is not listed."""
    for rank, candidate in enumerate(answer.candidates, 1):
        if is_right(answer.case, candidate.cause):
            return rank
    return None


def first_location(answer: Answer) -> Location | None:
    """The first location of the first candidate, its path relative to the case's folder."""
    if not answer.candidates or not answer.candidates[0].locations:
        return None
    found = answer.candidates[0].locations[0]
    return found.model_copy(update={"file": _path_in_case(answer, found.file)})


def on_right_line(answer: Answer) -> bool:
    """Whether the first location of the first candidate is near a listed one."""
    found = first_location(answer)
    return found is not None and any(_near(found, place) for place in answer.case.locations)


def _near(found: Location, listed: Place) -> bool:
    return (
        found.file == posixpath.normpath(listed.file)
        and found.cell == listed.cell
        and abs(found.line - listed.line) <= LINES
    )


def _path_in_case(answer: Answer, path: str) -> str:
    """A reported path counts from the target's folder, in command mode from the case's own."""
    if posixpath.isabs(path):
        inside = answer.root and path.startswith(f"{answer.root}/")
        return posixpath.relpath(path, answer.root) if inside else path
    target = answer.case.target if answer.case.mode != "command" else None
    return posixpath.normpath(posixpath.join(posixpath.dirname(target or ""), path))
