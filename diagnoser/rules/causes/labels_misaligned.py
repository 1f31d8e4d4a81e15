"""The cause `labels-misaligned`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.source_search import lines_matching
from diagnoser.schema import Location

AT_CHANCE = 0.15
"""Part of the way from chance to full agreement up to which labels say nothing about their rows."""
FITS = 0.4
"""Part of the way that another alignment must reach to be the right one."""
DIFFER = 0.3
EQUAL_KEYS = 0.5


class LabelsMisaligned(Rule):
    """Inputs and labels were shuffled, sorted or filtered apart.

    What it detects:
        Labels that agree with their neighbours' no more than chance, while they would if they were
        moved by a row; while the same rows have other labels in another table; or while the records
        that both come from name their rows by keys in another order.
    Why it breaks training:
        The model is asked for another row's answer: it can only learn the pairs by heart.
    Evidence:
        labels.agreement, labels.conflict, records.keys: agreement of labels among nearest
        neighbours as they stand and in the other alignment, and the chance level.
    Example:
        x, y = x[rng.permutation(n)], y[rng.permutation(n)]
    Use instead:
        order = rng.permutation(n)
        x, y = x[order], y[order]
    Can be confused with:
        A task in which the inputs say little about the label (no other alignment fits: silent).
    Verify:
        Look at ten rows with their labels; train a nearest-neighbour model on them.
    Prevent:
        Keep inputs and labels in one table until the split, and join by key.
    References:
        Cover and Hart, "Nearest neighbor pattern classification" (1967), for the agreement.
    """

    slug: ClassVar[str] = "labels-misaligned"
    title: ClassVar[str] = "Labels belong to other rows"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "underfitting": -4,
        "loss-flat": -5,
        "overfitting": -6,
        "loss-plateaus": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"shuffl\w+ .{0,40}(labels?|separate)|labels? .{0,40}(order|shift|row|"
            r"sorted|misalign)|nearest.?neighbou?r|random forest .{0,30}\d\d ?%",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = (
        "labels.agreement",
        "labels.conflict",
        "records.keys",
        "labels.summary",
    )
    fix_summary: ClassVar[str] = "Keep each label with its row: one order, one filter, one join"
    prevention: ClassVar[str] = (
        "Keep inputs and labels in one table until the split, and join files by key."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        summary = examination.last("labels.summary")
        pairs = examination.of("labels.agreement")
        if summary is None or not pairs:
            return [missing("no table with a label column of its length was in scope")]
        # a table with one fitting column may have others that are no labels
        best: dict[str, float] = {}
        for record in pairs:
            name, part = str(record.data["table"]), _part(record.data, "agreement")
            best[name] = max(part, best.get(name, part))
        lost = [record for record in pairs if best[str(record.data["table"])] <= AT_CHANCE]
        for record in lost:
            if _part(record.data, "moved_agreement") >= FITS:
                return [self._moved(examination, record, summary.at)]
        for record in examination.of("labels.conflict"):
            data = record.data
            apart = int(data["differ"]) >= DIFFER * int(data["both"])
            if apart and best.get(str(data["table"]), 1.0) <= AT_CHANCE:
                return [self._conflict(examination, record)]
        for record in examination.of("records.keys") if len(lost) == len(pairs) else ():
            if int(record.data["equal"]) < EQUAL_KEYS * int(record.data["rows"]):
                return [self._keys(examination, record, lost[0])]
        fit = max(pairs, key=lambda record: number(record.data["agreement"])).data
        note = (
            f"{number(fit['agreement']):.0%} of nearest neighbours in {fit['table']} "
            f"share their label in {fit['labels']} (chance {number(fit['chance']):.0%})"
        )
        return [silent(note, facts=(Fact("labels.agreement", note, summary.at),))]

    @staticmethod
    def _moved(examination: Examination, record: Record, at: Location | None) -> Finding:
        data = record.data
        offset = int(data["offset"])
        rows = "row" if abs(offset) == 1 else "rows"
        note = (
            f"{number(data['agreement']):.0%} of nearest neighbours in {data['table']} share their "
            f"label in {data['labels']} (chance {number(data['chance']):.0%}); with the labels "
            f"moved by {abs(offset)} {rows} {number(data['moved_agreement']):.0%} do"
        )
        places = [*_assigned(examination, str(data["labels"]), str(data["table"])), at]
        fact = Fact("labels.agreement", note, places[0], record.step, dict(data))
        return fired(DECISIVE, fact, note, places=places, direct=True)

    @staticmethod
    def _conflict(examination: Examination, record: Record) -> Finding:
        data = record.data
        note = (
            f"{data['differ']} of {data['both']} rows of {data['table']} have another label in "
            f"{data['labels']} than in {data['other_labels']}; {number(data['agreement']):.0%} of "
            f"nearest neighbours share their label here (chance {number(data['chance']):.0%}), "
            f"{number(data['other_agreement']):.0%} there"
        )
        places = [*_assigned(examination, str(data["labels"]), str(data["table"])), record.at]
        fact = Fact("labels.conflict", note, places[0], record.step, dict(data))
        return fired(DECISIVE, fact, note, places=places, direct=True)

    @staticmethod
    def _keys(examination: Examination, record: Record, pair: Record) -> Finding:
        data = record.data
        note = (
            f"{data['first']} and {data['second']} name the same {data['rows']} keys and have "
            f"equal keys in {data['equal']} rows; "
            f"{number(pair.data['agreement']):.0%} of nearest neighbours share their label (chance "
            f"{number(pair.data['chance']):.0%})"
        )
        names = str(pair.data["labels"]), str(pair.data["table"])
        places = [*_assigned(examination, *names), record.at]
        fact = Fact("records.keys", note, places[0], record.step, dict(data))
        return fired(DECISIVE, fact, note, places=places, direct=True)


def _part(data: Mapping[str, object], key: str) -> float:
    """How far an agreement lies on the way from chance (0) to all neighbours (1)."""
    chance = number(data.get("chance"))
    return (number(data.get(key)) - chance) / max(1 - chance, 1e-9)


def _assigned(examination: Examination, *names: str) -> list[Location | None]:
    """The last line that assigns each name, for names of variables."""
    places: list[Location | None] = []
    for name in names:
        if name.isidentifier():
            pattern = rf"^\s*(?:[\w, ]*,\s*)?{re.escape(name)}\s*(?:,[\w, ]*)?=(?!=)"
            places += lines_matching(examination.sources, pattern)[-1:]
    return places
