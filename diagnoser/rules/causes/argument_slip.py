"""The cause `argument-slip`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.argument_ranges import (
    LAYERS,
    OPTIMIZERS,
    Slot,
    by_position,
    call_at,
    is_unusual,
    keyword_edit,
)
from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, Source, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text
from diagnoser.schema import Edit


class ArgumentSlip(Rule):
    """A number passed by position lands in another parameter than the one that was meant.

    What it detects:
        A layer or an optimizer that was constructed with a value far outside what that parameter
        usually gets (eps 0.8, a slope of True, a momentum of 1e-4), passed by position.
    Why it breaks training:
        A large eps switches normalisation or the adaptive rate off; a slope of 1 makes an
        activation linear; a decay that lands in momentum is no decay.
    Evidence:
        settings.layer and settings.optimizer: the values that the objects hold; the call at the
        line where they were constructed: by position, not by keyword.
    Example:
        nn.BatchNorm2d(64, 0.8)
    Use instead:
        nn.BatchNorm2d(64, momentum=0.8)
    Can be confused with:
        An unusual value on purpose, which names its parameter (silent).
    Verify:
        Print the layer or the optimizer: it shows each value beside its name.
    Prevent:
        Pass everything after the sizes by keyword.
    References:
        PyTorch documentation of the class; PEP 3102 (keyword-only arguments).
    """

    slug: ClassVar[str] = "argument-slip"
    title: ClassVar[str] = "A value lands in another parameter than meant"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -8,
        "underfitting": -8,
        "loss-plateaus": -8,
        "loss-explodes": -10,
        "loss-swings": -10,
        "slow": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"batchnorm\w*\([^)]*0\.\d|positional|wrong argument", 8),
    )
    needs: ClassVar[tuple[str, ...]] = ("settings.layer", "settings.optimizer", "settings.summary")
    fix_summary: ClassVar[str] = "Pass the value by the keyword that is meant"
    prevention: ClassVar[str] = (
        "Pass everything after the sizes by keyword, and print the model and the optimizer once."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        if examination.last("settings.summary") is None:
            return [missing("no update was made, so no settings were read")]
        findings = []
        for kind, table in (("settings.layer", LAYERS), ("settings.optimizer", OPTIMIZERS)):
            for record in examination.of(kind):
                for name, slot in self._unusual(record, table):
                    finding = self._read(examination, record, name, slot)
                    findings += [finding] if finding is not None else []
        return findings or [silent("no unusual value was passed by position")]

    @staticmethod
    def _unusual(
        record: Record, table: Mapping[str, Mapping[str, Slot]]
    ) -> Iterator[tuple[str, Slot]]:
        values = record.data.get("values", {})
        for name, slot in table.get(str(record.data.get("class")), {}).items():
            if name in values and is_unusual(slot, name, values[name]):
                yield name, slot

    @staticmethod
    def _read(examination: Examination, record: Record, name: str, slot: Slot) -> Finding | None:
        at = record.at
        if at is None:
            return None
        label = str(record.data["class"])
        call = call_at(examination.sources.get(at.file, ""), at.line, label, slot.position)
        if call is None or not by_position(call, name, slot.position):
            return None
        value = record.data["values"][name]
        count = int(record.data.get("count", 1))
        usual = f"usually {slot.least:g} to {slot.greatest:g}" if slot.kind != "flag" else "a flag"
        meant = f"; {slot.meant} may be meant" if slot.meant else ""
        note = f"{label} at {place_text(at)} got {name}={value!r} by position ({usual}{meant})" + (
            f", in {count} layers" if count > 1 else ""
        )
        facts = {"name": name, "position": slot.position, "meant": slot.meant, "class": label}
        fact = Fact(record.kind, note, at, record.step, facts)
        return fired(DECISIVE, fact, note, places=[at], direct=True)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        edits: dict[tuple[str, int], Edit] = {}
        for finding in findings:
            fact = finding.facts[0] if finding.direct and finding.facts else None
            if fact is None or fact.at is None or not fact.data.get("meant"):
                continue
            text = source.text(fact.at.file) or ""
            position, meant = int(fact.data["position"]), str(fact.data["meant"])
            call = call_at(text, fact.at.line, str(fact.data["class"]), position)
            changed = keyword_edit(text, call, position, meant) if call is not None else None
            if changed is not None:
                line, after = changed
                before = source.line(fact.at.file, line)
                edit = Edit(
                    file=fact.at.file, line=line, cause=self.slug, before=before, after=after
                )
                edits.setdefault((edit.file, line), edit)
        return list(edits.values())
