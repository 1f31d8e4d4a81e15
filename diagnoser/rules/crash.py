"""What rules about an exception share: finding it, its operands, its layer and its lines."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from diagnoser.rules.base import DECISIVE, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import shape_text
from diagnoser.schema import Location


@dataclass(frozen=True)
class Layer:
    """The innermost module in the traceback: its text, its parameters, where it was constructed."""

    name: str
    text: str
    site: Location | None
    parameters: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Crash:
    """The exception that ended a run, or the one that a pasted text shows."""

    record: Record
    examination: Examination

    @property
    def type(self) -> str:
        """The exception's class, such as `RuntimeError`."""
        return str(self.record.data.get("type"))

    @property
    def message(self) -> str:
        """The exception's text."""
        return str(self.record.data.get("message"))

    @property
    def log(self) -> str:
        """What a pasted text shows besides, "" for a script that was run."""
        return str(self.record.data.get("log") or "")

    @property
    def at(self) -> Location | None:
        """The user's innermost line."""
        return self.record.at

    @property
    def frames(self) -> Sequence[Mapping[str, Any]]:
        """All frames, outermost first; those of the user have `user` set."""
        found = self.record.data.get("frames", ())
        return found if isinstance(found, (list, tuple)) else ()

    @cached_property
    def user_lines(self) -> tuple[Location, ...]:
        """The user's own lines in the traceback, innermost first."""
        places = [location(frame) for frame in reversed(self.frames) if frame.get("user")]
        return tuple(place for place in places if place is not None)

    @cached_property
    def layer(self) -> Layer | None:
        """The innermost library module that holds parameters, or None."""
        for frame in reversed(self.frames):
            module = frame.get("module")
            if module and module.get("parameters"):
                return Layer(
                    str(module.get("class")),
                    str(module.get("text")),
                    location(module.get("site")),
                    module["parameters"],
                )
        return None

    @cached_property
    def tensors(self) -> Mapping[str, Mapping[str, Any]]:
        """Named tensors: of the user's frames, innermost first, then of the library's."""
        found: dict[str, Mapping[str, Any]] = {}
        innermost_first = list(reversed(self.frames))
        for frame in sorted(innermost_first, key=lambda item: not item.get("user")):
            for name, facts in (frame.get("tensors") or {}).items():
                found.setdefault(name, facts)
        return found

    @property
    def code(self) -> str:
        """The source text of the user's innermost line, "" if it is not known."""
        if self.at is None:
            return ""
        return self.at.code or self.examination.line(self.at) or str(self._innermost.get("code"))

    @property
    def _innermost(self) -> Mapping[str, Any]:
        own = [frame for frame in self.frames if frame.get("user")]
        return own[-1] if own else {"code": ""}

    def shapes(self, count: int = 4) -> str:
        """`x [64, 1, 28, 28], y [64]`: the user's tensors at the line, for people."""
        own: dict[str, Any] = {}
        for frame in reversed(self.frames):
            if frame.get("user"):
                for name, facts in (frame.get("tensors") or {}).items():
                    own.setdefault(name, facts)
        return ", ".join(
            f"{name} {shape_text(facts.get('shape'))}" for name, facts in list(own.items())[:count]
        )

    def finding(
        self,
        note: str,
        places: Sequence[Location | None] = (),
        data: Mapping[str, Any] | None = None,
    ) -> Finding:
        """A decisive finding on this exception; its line stands last among the places."""
        fact = Fact("exception.raised", note, self.at, self.record.step, dict(data or {}))
        return fired(DECISIVE, fact, note, places=[*places, self.at], direct=True)


class CrashRule(Rule):
    """A cause that shows as an exception whose text one of `patterns` matches.

    The patterns are searched in `Type: message`, the first that matches is handed to `explain`.
    """

    patterns: ClassVar[tuple[str, ...]]
    level: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("exception.raised",)

    def weigh(self, examination: Examination) -> list[Finding]:
        raised = examination.last("exception.raised")
        if raised is None:
            return [
                silent("no exception was raised") if examination.ran else missing("it was not run")
            ]
        crash = Crash(raised, examination)
        text = f"{crash.type}: {crash.message}\n{crash.log}"
        for pattern in self.patterns:
            found = re.search(pattern, text)
            if found is not None:
                finding = self.explain(crash, found)
                if finding is not None:
                    return [finding]
        return [silent("the exception is another one")]

    @abstractmethod
    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        """The finding for a match, with the sizes computed and the line that did it; or None."""
