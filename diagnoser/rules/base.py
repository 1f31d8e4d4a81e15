"""What one cause's file is made of."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from diagnoser.rules.examination import Examination
from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Edit, Location, Outcome

WEAK = 3
MODERATE = 6
STRONG = 10
DECISIVE = 20
"""Named steps of evidence in decibans (a factor of 2, 4, 10 and 100 in the odds)."""

DOC_SECTIONS = (
    "What it detects",
    "Why it breaks training",
    "Evidence",
    "Example",
    "Use instead",
    "Can be confused with",
    "Verify",
    "Prevent",
    "References",
)


@dataclass(frozen=True)
class Fact:
    """One measured fact on its way to becoming numbered evidence."""

    kind: str
    summary: str
    at: Location | None = None
    step: int = 0
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """A rule's reading: how much the facts speak for or against its cause.

    `direct` marks that a probe read the defect itself, which the grade "observed" needs.
    `places` are the source lines of the cause, the one to change first.
    """

    decibans: int
    facts: tuple[Fact, ...] = ()
    note: str = ""
    places: tuple[Location, ...] = ()
    direct: bool = False
    outcome: Outcome = "fired"


def fired(
    decibans: int,
    facts: Fact | Sequence[Fact],
    note: str,
    *,
    places: Sequence[Location | None] = (),
    direct: bool = False,
) -> Finding:
    """A finding that speaks for the cause (or, with negative decibans, against it)."""
    listed = (facts,) if isinstance(facts, Fact) else tuple(facts)
    kept = tuple(place for place in places if place is not None)
    return Finding(decibans, listed, note, kept, direct)


def silent(note: str, *, facts: Sequence[Fact] = ()) -> Finding:
    """The evidence was there and does not show the defect."""
    return Finding(0, tuple(facts), note, outcome="silent")


def missing(what: str) -> Finding:
    """The evidence that the rule needs was not recorded."""
    return Finding(0, (), what, outcome="not-evaluated")


@dataclass(frozen=True)
class Trial:
    """An intervention to try for a cause: its name, strengths in order, and what it is judged on.

    `measure` is "loss" (the last loss) or "seconds" (wall seconds an update).
    """

    intervention: str
    strengths: tuple[Mapping[str, Any], ...] = ({},)
    measure: str = "loss"


@dataclass(frozen=True)
class Cue:
    """A regular expression over a question's lower-case words, and its weight in decibans."""

    pattern: str
    decibans: int


class Source:
    """The user's files as text, for fixes. Paths are absolute."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = dict(files)

    def text(self, path: str) -> str | None:
        """The text of a file, or None if it is not the user's."""
        return self._files.get(path)

    def line(self, path: str, number: int) -> str:
        """One source line without its end, "" if there is none."""
        lines = lines_of(self._files.get(path) or "")
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def paths(self) -> tuple[str, ...]:
        """All files."""
        return tuple(self._files)


class Rule(ABC):
    """One root cause. The class docstring is its documentation (`diagnoser rules SLUG`)."""

    slug: ClassVar[str]
    title: ClassVar[str]
    category: ClassVar[str]
    level: ClassVar[int]
    prior: ClassVar[Mapping[str, int]]
    """Symptom slug -> decibans: how likely this cause is when that symptom is asked about."""
    needs: ClassVar[tuple[str, ...]]
    """Record kinds that the rule reads; each is emitted by some collector."""
    trial: ClassVar[Trial | None] = None
    fix_summary: ClassVar[str]
    prevention: ClassVar[str]
    cues: ClassVar[tuple[Cue, ...]] = ()
    """What the words of a question say for or against it where there is nothing to run."""
    fallback: ClassVar[bool] = False
    """It gives way to any other cause that rests on the same exception."""
    judged_by_loss: ClassVar[bool] = True
    """Whether its repair shows in the training loss: not where the loss was right and the
    evaluation wrong, nor where the loss itself was too easy or had the wrong sign."""
    experiment_only: ClassVar[bool] = False
    """Only an experiment can settle it: without one it stays suspected."""

    @abstractmethod
    def weigh(self, examination: Examination) -> list[Finding]:
        """Read the evidence; never raises on a well-typed examination."""

    def sentence(self, findings: Sequence[Finding]) -> str:
        """The diagnosis in one sentence, with the number that settles it."""
        direct = [finding for finding in findings if finding.outcome == "fired" and finding.note]
        return direct[0].note if direct else self.title

    def strengths(self, examination: Examination) -> tuple[Mapping[str, Any], ...]:
        """The strengths in which the trial is worth trying, the likeliest first."""
        return self.trial.strengths if self.trial is not None else ()

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        """Exact edits to the user's lines; empty when none can be made safely."""
        return []

    @classmethod
    def documentation(cls) -> str:
        """The docstring, dedented."""
        return inspect.cleandoc(cls.__doc__ or "")
