"""The cause `train-test-leakage`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.source_search import lines_matching

MIN_SHARE = 0.05
"""Share of evaluated rows that also train; less may be a chance repeat."""
MIN_COVERAGE = 0.5
"""Share of the training rows that must have been seen for a part to be told from the whole."""
SPLITS = (
    r"(train_test_split|random_split|KFold|ShuffleSplit|read_csv|loadtxt|np\.load)\(|"
    r"\[\s*:\s*[^\]:]+\]"
)


class TrainTestLeakage(Rule):
    """The same rows stand in the training and in the test part.

    What it detects:
        A part of the rows on which the model is evaluated has also trained it, bit for bit.
    Why it breaks training:
        The score measures memory: it is too good, and new data get a worse one.
    Evidence:
        rows.shared: evaluated rows, those that had trained the same model before, and how much of
        the training data had been seen by then.
    Example:
        x, y = oversample(x, y)
        x, xt, y, yt = train_test_split(x, y)
    Use instead:
        x, xt, y, yt = train_test_split(x, y)
        x, y = oversample(x, y)
    Can be confused with:
        Evaluation on the training set itself (all of its rows are known: silent); rows of a few
        whole numbers, which repeat by chance (silent).
    Verify:
        Intersect the rows of both parts.
    Prevent:
        Assert that the intersection of the parts is empty, by row content and by group.
    References:
        Kaufman et al., "Leakage in Data Mining" (2012).
    """

    slug: ClassVar[str] = "train-test-leakage"
    title: ClassVar[str] = "The same rows train and test the model"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"too-good": -2, "overfitting": -5, "inconsistent": -8}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"duplicat|oversampl|smote|repeat\w* .{0,20}(rare|rows)|same (rows|patients|"
            r"users|ids)",
            8,
        ),
        Cue(r"too good|unrealistic|live|in production|new data", 4),
    )
    needs: ClassVar[tuple[str, ...]] = ("rows.shared", "rows.summary")
    fix_summary: ClassVar[str] = (
        "Split first, by row and by group; repeat or augment rows after that"
    )
    prevention: ClassVar[str] = (
        "Assert that no row, and no group, of the test part stands in the training part."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        summary = examination.last("rows.summary")
        if summary is None or not int(summary.data.get("calls", 0)):
            return [missing("no evaluation without gradients was seen")]
        if not summary.data.get("continuous"):
            return [silent("the rows have no column of continuous values to tell them apart")]
        shared = [record for record in examination.of("rows.shared") if self._is_leak(record)]
        if not shared:
            note = (
                f"no part of the evaluated rows ({summary.data['calls']} calls) had trained the "
                f"model ({summary.data['trained']} training rows seen)"
            )
            return [silent(note, facts=(Fact("rows.summary", note),))]
        record = max(shared, key=lambda r: int(r.data["shared"]) / int(r.data["rows"]))
        data = record.data
        note = (
            f"{data['shared']} of {data['rows']} rows that are evaluated have also trained the "
            f"model ({data['trained']} training rows seen, {number(data['coverage']):.0%} of them "
            f"known by then)"
        )
        files = [entry for entry in map(location, data.get("stack", ())) if entry is not None]
        splits = [
            place
            for file in dict.fromkeys(entry.file for entry in files)
            for place in lines_matching(examination.sources, SPLITS, file)
        ]
        fact = Fact("rows.shared", note, record.at, record.step, dict(data))
        return [fired(DECISIVE, fact, note, places=[*splits[:1], *files], direct=True)]

    @staticmethod
    def _is_leak(record: Record) -> bool:
        data = record.data
        return number(data.get("coverage")) >= MIN_COVERAGE and int(
            data["shared"]
        ) >= MIN_SHARE * int(data["rows"])
