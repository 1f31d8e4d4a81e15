"""What a conversation knows. Nothing here reads, writes or runs anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from diagnoser.report.work import Work
    from diagnoser.schema import Candidate, Question, Report


@dataclass(frozen=True)
class Answer:
    """One answer with the work behind it; `work` is only read from here on."""

    question: Question
    work: Work
    report: Report

    @property
    def ran(self) -> bool:
        """Whether a run stands behind it."""
        return bool(self.work.runs)

    @property
    def sources(self) -> Mapping[str, str]:
        """The user's files as they were read for this answer, by absolute path."""
        return self.work.examination.sources

    @property
    def first(self) -> Candidate | None:
        """The best candidate, if there is one."""
        return self.report.candidates[0] if self.report.candidates else None

    @property
    def stated(self) -> str:
        """The cause that the answer states; "" if it states none."""
        first = self.first
        return first.cause if first is not None and self.report.status == "diagnosed" else ""


@dataclass(frozen=True)
class Pending:
    """What diagnoser asked last: an offer to run, or a question that splits the candidates."""

    kind: Literal["run", "verify", "experiment", "question"]
    subject: str = ""
    """The experiment's name, or the question's."""


@dataclass(frozen=True)
class Turn:
    """What was said and what was answered."""

    said: str
    answered: str


@dataclass(frozen=True)
class Session:
    """The state of one conversation; each step gives a new one."""

    target: str | None = None
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """What the user has said about the trouble, sentence by sentence."""
    answers: tuple[Answer, ...] = ()
    chosen: str = ""
    """The cause whose fix is talked about; "" means the one that the answer states."""
    doubted: frozenset[str] = frozenset()
    """Causes that the user's replies speak against."""
    asked_back: frozenset[str] = frozenset()
    """Names of the questions that were put already."""
    pending: Pending | None = None
    applied: tuple[str, ...] = ()
    """The backups of the fixes that were written and stand, the latest last."""
    written: bool = False
    """Whether the last answer's fix is written, and nothing has run since."""
    model: bool = True
    """Whether a language model may be used, where one is configured."""
    turns: tuple[Turn, ...] = ()

    @property
    def last(self) -> Answer | None:
        """The latest answer."""
        return self.answers[-1] if self.answers else None

    @property
    def has_target(self) -> bool:
        """Whether there is something to run."""
        return self.target is not None or bool(self.command)

    @property
    def name(self) -> str:
        """The target in a few words."""
        return self.target if self.target is not None else " ".join(self.command)

    @property
    def cause(self) -> str:
        """The cause that is talked about; "" if there is none."""
        if self.chosen or self.last is None:
            return self.chosen
        if self.last.ran or self.last.stated not in self.doubted:
            return self.last.stated
        rows = self.last.report.candidates
        return next((row.cause for row in rows if row.cause not in self.doubted), "")

    def with_target(self, target: str | None, rest: tuple[str, ...]) -> Session:
        """Another target; `rest` is its arguments, or the command where there is no target."""
        return replace(
            self,
            target=target,
            args=rest if target is not None else (),
            command=rest if target is None else (),
            answers=(),
            chosen="",
            applied=(),
            written=False,
            pending=None,
        )

    def with_words(self, text: str) -> Session:
        """One more sentence about the trouble."""
        return replace(self, words=(*self.words, text))

    def about(self, text: str) -> Session:
        """A new question: what was said before is left aside."""
        words = (text,) if text else ()
        return replace(self, words=words, doubted=frozenset(), asked_back=frozenset())

    def answered(self, answer: Answer) -> Session:
        """The same with one more answer."""
        return replace(self, answers=(*self.answers, answer), chosen="", pending=None)

    def applying(self, backup: str) -> Session:
        """The same with a fix written."""
        return replace(self, applied=(*self.applied, backup), written=True)

    def undone(self, backup: str) -> Session:
        """The same with a fix taken back."""
        kept = tuple(name for name in self.applied if name != backup)
        return replace(self, applied=kept, written=False)

    def waiting(self, pending: Pending | None) -> Session:
        """The same with an offer or a question open."""
        return replace(self, pending=pending)

    def heard(self, said: str, answered: str) -> Session:
        """The same with one more turn in the transcript."""
        return replace(self, turns=(*self.turns, Turn(said, answered)))
