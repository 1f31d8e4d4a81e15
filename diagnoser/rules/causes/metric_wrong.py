"""The cause `metric-wrong`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.rules.source_search import lines_matching, nearest
from diagnoser.schema import Location

MIN_ROWS = 30
MIN_COMPARED = 200
"""Rows in which the script's own prediction must have differed from the natural one."""
FAR = 0.3
"""How far below every recount a printed accuracy must lie."""
APART = 0.1
"""Difference between a printed accuracy and the recount from which the metric is wrong."""
UNNATURAL = 0.2
"""Gain of the model's natural prediction over the script's own, in shares of the rows."""
ACCURACY = re.compile(
    r"(?<![a-z])(?:acc(?:uracy)?|correct|hits?(?: rate)?|right)\b[\s:=|]{0,4}(?:is |of )?"
    r"(?P<value>\d+(?:\.\d+)?(?:e-?\d+)?)\s*(?P<percent>%|percent)?(?!\s*(?:/|of\b|out\b|\d))",
    re.IGNORECASE,
)
OTHER = re.compile(r"balanced|macro|top-?[2-9]|recall|precision|f1", re.IGNORECASE)


class MetricWrong(Rule):
    """The metric that is printed is not what it says.

    What it detects:
        Predictions and labels that broadcast when they are compared; the greatest of all scores
        where one for each row is meant; argmax over the batch axis; a printed accuracy that is far
        from what the script's own comparisons come to; a threshold on the wrong scale.
    Why it breaks training:
        It does not: the model may be good, and every decision made from the number is wrong.
    Evidence:
        metric.shapes, metric.axis: shapes and axis of the comparison; metric.compared: rows that
        were equal, and rows in which the model's natural prediction equals the label, beside the
        number that the script prints.
    Example:
        accuracy = 100 * (correct // total)
    Use instead:
        accuracy = 100 * correct / total
    Can be confused with:
        A model that is really that bad (the recount agrees with the printed number: silent).
    Verify:
        Compute the metric once by hand on ten rows.
    Prevent:
        Test the metric on predictions that are all right and all wrong.
    References:
        PyTorch documentation, torch.argmax, "Broadcasting semantics".
    """

    slug: ClassVar[str] = "metric-wrong"
    title: ClassVar[str] = "The metric is computed wrongly"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "underfitting": -5,
        "too-good": -5,
        "overfitting": -7,
        "loss-flat": -7,
        "inconsistent": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"loss (is|looks|seems|goes|falls)[^.]{0,40}(fine|good|low|ok|down|nice|normal)"
            r"[^.]{0,60}(acc\w*|score|f1|metric|recall)",
            10,
        ),
        Cue(
            r"(acc\w*|score|metric|f1|recall|precision)[^.]{0,50}(stuck|zero|\b0\b|same|constant|"
            r"above 1|over 1|more than 100)",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = (
        "metric.compared",
        "metric.shapes",
        "metric.axis",
        "metric.summary",
    )
    judged_by_loss: ClassVar[bool] = False
    fix_summary: ClassVar[str] = "Compute the metric over the right axis, rows, scale and divisor"
    prevention: ClassVar[str] = (
        "Test the metric on predictions that are all right (1) and all wrong (0)."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        summary = examination.last("metric.summary")
        if summary is None or not int(summary.data.get("looked", 0)):
            return [missing("no comparison of predictions with labels was seen")]
        findings = [
            *(self._of_shapes(record) for record in examination.of("metric.shapes")),
            *(self._of_axis(record) for record in examination.of("metric.axis")),
        ]
        compared = [r for r in examination.of("metric.compared") if int(r.data["rows"]) >= MIN_ROWS]
        findings += self._of_threshold(compared)
        if not findings:
            findings += self._of_print(examination, compared)
        if findings:
            return findings
        notes = [
            Fact(
                "metric.compared",
                f"{r.data['equal']} of {r.data['rows']} rows are equal at {place_text(r.at)}",
                r.at,
            )
            for r in compared[:2]
        ]
        return [silent("the comparisons come to what is printed", facts=notes)]

    @staticmethod
    def _of_shapes(record: Record) -> Finding:
        data = record.data
        left, right = shape_text(data["left"]), shape_text(data["right"])
        if data.get("greatest_of_all"):
            note = (
                f"{place_text(record.at)} compares the index of the single greatest score of all "
                f"with labels {left if data['left'] else right}: argmax was called without an axis"
            )
        else:
            note = (
                f"{place_text(record.at)} compares {left} with {right}, which broadcast to "
                f"{shape_text(data['result'])}: each prediction meets each label"
            )
        fact = Fact("metric.shapes", note, record.at, record.step, dict(data))
        return fired(DECISIVE, fact, note, places=[record.at], direct=True)

    @staticmethod
    def _of_axis(record: Record) -> Finding:
        note = (
            f"argmax at {place_text(record.at)} runs over axis {record.data['axis']} of an output "
            f"{shape_text(record.data['shape'])}: over the rows, not over the classes"
        )
        fact = Fact("metric.axis", note, record.at, record.step, dict(record.data))
        return fired(DECISIVE, fact, note, places=[record.at], direct=True)

    @staticmethod
    def _of_threshold(compared: list[Record]) -> Iterator[Finding]:
        """The model's output by its sign or greatest column is right far more often."""
        for record in compared:
            data = record.data
            rows = int(data.get("other_rows", 0))
            if rows < MIN_COMPARED:
                continue
            natural, equal = int(data["natural"]) / rows, int(data["other_equal"]) / rows
            if natural - equal < UNNATURAL or natural < 0.5 + UNNATURAL:
                continue
            note = (
                f"At {place_text(record.at)} {equal:.0%} of {rows} rows are equal; by the sign or "
                f"the greatest column of the same outputs {natural:.0%} would be: the threshold or "
                f"the column is not that of the output"
            )
            fact = Fact("metric.compared", note, record.at, record.step, dict(data))
            yield fired(DECISIVE, fact, note, places=[record.at], direct=True)

    def _of_print(self, examination: Examination, compared: list[Record]) -> list[Finding]:
        """The last accuracy that was printed, against the recounts of all lines."""
        printed = self._printed(examination.stdout)
        compared = [record for record in compared if record.data.get("final")]
        shares = [int(r.data["equal"]) / int(r.data["rows"]) for r in compared]
        if printed is None or not shares or examination.stopped != "finished":
            return []
        value, line = printed
        near = [value, *_shares(line)]
        if any(abs(one - share) <= APART for one in near for share in shares):
            return []
        if value > min(shares) - FAR:
            return []  # masks and weights may raise it
        record = compared[-1]
        data = record.data
        note = (
            f'The script prints "{line[:80]}", and the comparisons at {place_text(record.at)} are '
            f"equal in {data['equal']} of {data['rows']} rows ({shares[-1]:.1%})"
        )
        place = self._divides(examination, record.at)
        fact = Fact("metric.compared", note, place or record.at, record.step, dict(data))
        return [fired(DECISIVE, fact, note, places=[place, record.at], direct=True)]

    @staticmethod
    def _printed(text: str) -> tuple[float, str] | None:
        """Share and line of the last accuracy in the output."""
        for line in reversed(text.splitlines()):
            found = None if OTHER.search(line) else ACCURACY.search(line)
            if found is not None:
                value = float(found["value"])
                return (value / 100 if found["percent"] or value > 1 else value), line.strip()
        return None

    @staticmethod
    def _divides(examination: Examination, near: Location | None) -> Location | None:
        """The nearest line below the comparison that divides."""
        if near is None:
            return None
        lines = [
            place
            for place in lines_matching(examination.sources, r"(?<![/'\"])//?(?![/'\"])", near.file)
            if near.line <= place.line <= near.line + 12
        ]
        return nearest(lines, near)


def _shares(line: str) -> list[float]:
    """All numbers of a line as shares: 0.95, 95 % and 95 alike."""
    values = [float(text) for text in re.findall(r"\d+(?:\.\d+)?", line)]
    return [value if value <= 1 else value / 100 for value in values]
