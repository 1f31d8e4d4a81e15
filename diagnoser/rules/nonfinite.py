"""What rules about NaN and inf share: the first non-finite value, its operation and operands."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from diagnoser.rules.base import DECISIVE, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import shape_text
from diagnoser.schema import Location

RUNAWAY = 1e10
"""An operand beyond this comes from weights that have run away, not from the operation's domain."""


@dataclass(frozen=True)
class FirstBad:
    """The first operation that made NaN or inf, as the second run saw it."""

    record: Record
    examination: Examination

    @property
    def where(self) -> str:
        """`forward`, `backward`, `entered` (it came in with data) or `parameters`."""
        return str(self.record.data.get("where"))

    @property
    def operation(self) -> str:
        """The torch function's bare name, such as `log` or `div`."""
        return str(self.record.data.get("operation")).strip("_")

    @property
    def at(self) -> Location | None:
        """The user's line of the operation."""
        return self.record.at

    @property
    def operands(self) -> Sequence[Mapping[str, Any]]:
        """Facts of its tensors: name, shape, min, max, zeros, negative, dtype."""
        found = self.record.data.get("operands", ())
        return [entry for entry in found if isinstance(entry, Mapping)]

    @property
    def runaway(self) -> bool:
        """Whether the operands are so large that the weights must have diverged before."""
        return any(
            max(abs(number(entry.get("max"))), abs(number(entry.get("min")))) > RUNAWAY
            for entry in self.operands
        )

    @property
    def made(self) -> str:
        """`12 NaN and 3 inf of 64 values`."""
        counts = self.record.data.get("made") or {}
        parts = [
            f"{counts[key]} {label}"
            for key, label in (("nan", "NaN"), ("inf", "inf"))
            if counts.get(key)
        ]
        return f"{' and '.join(parts) or 'a non-finite value'} of {counts.get('of', '?')} values"

    def describe(self, index: int = 0) -> str:
        """One operand for people: `p [64, 3] (0 to 1, 55 zeros)`."""
        if index >= len(self.operands):
            return "its operand"
        facts = self.operands[index]
        name = facts.get("name") or "the operand"
        extra = [f"{number(facts.get('min')):.3g} to {number(facts.get('max')):.3g}"]
        extra += [
            f"{facts[key]} {label}"
            for key, label in (("zeros", "zeros"), ("negative", "negative"))
            if facts.get(key)
        ]
        return f"{name} {shape_text(facts.get('shape'))} ({', '.join(extra)})"

    def finding(
        self, note: str, places: Sequence[Location | None] = (), decibans: int = DECISIVE
    ) -> Finding:
        """A direct finding on this value; its line stands last."""
        step = int(self.record.data.get("backward", 0) or 0)
        text = f"{note} (backward call {step})"
        fact = Fact("nonfinite.first", text, self.at, step, {"operation": self.operation})
        return fired(decibans, fact, text, places=[*places, self.at], direct=True)


class NonfiniteRule(Rule):
    """A cause that is read off the first operation that made a non-finite value."""

    level: ClassVar[int] = 2
    category: ClassVar[str] = "numerical instability"
    needs: ClassVar[tuple[str, ...]] = ("nonfinite.first", "loss.nonfinite")

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("nonfinite.first")
        if record is None:
            if examination.last("loss.nonfinite") is not None:
                return [missing("the operation that made the first non-finite value was not seen")]
            if examination.curve is None:
                return [missing("no loss was recorded")]
            return [silent("the loss stays finite")]
        finding = self.explain(FirstBad(record, examination))
        operation = record.data.get("operation")
        return [finding or silent(f"the first non-finite value is made by {operation}")]

    @abstractmethod
    def explain(self, first: FirstBad) -> Finding | None:
        """The finding if this operation on these operands is the cause, else None."""


def numpy_warning(first: FirstBad, operations: str) -> Location | None:
    """The line that NumPy itself warned about, if an operation of these made the value there."""
    pattern = (
        r"^(?P<file>.+?):(?P<line>\d+): RuntimeWarning: (invalid value|divide by zero|overflow) "
        rf"encountered in ({operations})"
    )
    found = re.search(pattern, first.examination.stderr, re.MULTILINE)
    return Location(file=found["file"], line=int(found["line"])) if found is not None else None


def source_line(first: FirstBad) -> Location | None:
    """Where the data that brought the value in were turned into a tensor."""
    sources = first.record.data.get("sources") or ()
    if sources:
        return location(sources[-1].get("at"))
    shape = list(first.operands[0].get("shape") or ()) if first.operands else []
    made = [
        record
        for record in first.examination.of("tensor.origin")
        if list((record.data.get("result") or {}).get("shape") or ())[1:] == shape[1:]
        and str((record.data.get("result") or {}).get("dtype", "")).startswith(("float", "double"))
    ]
    return made[0].at if made else None


def named(first: FirstBad, index: int = 0) -> str:
    """The variable's name of an operand, or "a tensor"."""
    if index < len(first.operands) and first.operands[index].get("name"):
        return str(first.operands[index]["name"])
    return "a tensor"
