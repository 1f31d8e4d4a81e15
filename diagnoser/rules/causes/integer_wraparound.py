"""The cause `integer-wraparound`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_lines import lines_of
from diagnoser.rules.source_search import tree_of
from diagnoser.schema import Edit

MIN_SHARE = 0.005
"""Share of the values that wrapped from which it is no rare extreme."""
WIDER = {"numpy": '.astype("int64")', "torch": ".long()"}
_ATOMS = (ast.Name, ast.Subscript, ast.Attribute, ast.Call)


class IntegerWraparound(Rule):
    """Arithmetic on a narrow integer dtype leaves its range and wraps without a word.

    What it detects:
        A line of the user's code computes with uint8, int8, int16 or int32 arrays, and computed
        again in 64 bits the same line gives other numbers.
    Why it breaks training:
        3 - 5 is 254 in uint8, and 300 * 300 is 24,464 in int16. The values that matter most (large
        changes, loud samples) are the ones that turn into nonsense.
    Evidence:
        integer.wrapped: the expression, its dtype, the share of values that wrapped and one of
        them beside the exact number; integer.watched.
    Example:
        change = (frames[1] - frames[0]).float()             # uint8
    Use instead:
        change = frames[1].float() - frames[0].float()
    Can be confused with:
        Hashes, counters and checksums, which wrap on purpose; class 0 turned into 255 to ignore it.
    Verify:
        Compare the result with that of `x.astype("int64")`.
    Prevent:
        Convert images and samples to float right after they are read.
    References:
        NumPy user guide, "Data types", overflow errors.
    """

    slug: ClassVar[str] = "integer-wraparound"
    title: ClassVar[str] = "Integer arithmetic wraps around"
    category: ClassVar[str] = "numerical instability"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -7,
        "loss-plateaus": -6,
        "underfitting": -5,
    }
    needs: ClassVar[tuple[str, ...]] = ("integer.wrapped", "integer.watched")
    fix_summary: ClassVar[str] = "Widen the integers (or convert to float) before computing"
    prevention: ClassVar[str] = "Convert images and samples to float right after they are read."

    def weigh(self, examination: Examination) -> list[Finding]:
        wrapped = examination.of("integer.wrapped")
        if wrapped:
            findings = [self._read(record) for record in wrapped]
            return sorted(findings, key=lambda finding: -finding.decibans)[:3]
        watched = examination.last("integer.watched")
        if watched is None:
            return [missing("integer arithmetic was not watched")]
        count = int(watched.data.get("expressions", 0))
        if not count:
            return [silent("no arithmetic on narrow integers was seen")]
        text = f"Computed again in 64 bits, {count} results of narrow integers are the same"
        return [silent(text, facts=[Fact("integer.watched", text)])]

    @staticmethod
    def _read(record: Record) -> Finding:
        data = record.data
        share = number(data["share"])
        note = (
            f"`{data['expression']}` at {place_text(record.at)} is computed in {data['dtype']} and "
            f"wraps in {share:.1%} of {data['values']} values: one is {data['result']} where "
            f"{data['exact']} is exact"
        )
        # `labels - 1` in uint8 makes 255 of 0 on purpose, where 255 is the index to ignore.
        relabelled = bool(data.get("constant")) and bool(data.get("one_value"))
        certain = share >= MIN_SHARE and not relabelled
        fact = Fact("integer.wrapped", note, record.at, record.step, dict(data))
        weight = DECISIVE if certain else MODERATE
        return fired(weight, fact, note, places=[record.at], direct=certain)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        edits: dict[int, Edit] = {}
        for finding in findings:
            fact = finding.facts[0] if finding.facts else None
            if not finding.direct or fact is None or fact.at is None:
                continue
            edit = self._widen(source, fact)
            if edit is not None:
                edits.setdefault(edit.line, edit)
        return list(edits.values())

    def _widen(self, source: Source, fact: Fact) -> Edit | None:
        """Put the conversion behind the first operand, which must stand in one line."""
        first, start, last, end = (int(value) for value in fact.data["operand"])
        place = fact.at
        text = source.text(place.file) if place is not None else None
        if place is None or text is None or first != last:
            return None
        found = [
            node
            for node in ast.walk(tree_of(text))
            if isinstance(node, _ATOMS)
            and (node.lineno, node.col_offset, node.end_col_offset) == (first, start, end)
        ]
        if not found:
            return None
        line = lines_of(text)[first - 1]
        raw = line.encode()
        suffix = WIDER[str(fact.data["library"])].encode()
        after = (raw[:end] + suffix + raw[end:]).decode()
        return Edit(file=place.file, line=first, cause=self.slug, before=line, after=after)
