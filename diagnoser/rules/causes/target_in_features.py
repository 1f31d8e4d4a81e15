"""The cause `target-in-features`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.source_search import lines_matching

RANK = 0.9995
"""Rank correlation from which a column is the target in another unit."""
PURE = 0.98
"""Share of rows whose repeated value always comes with the same class."""
GAP = 0.02
"""How far the next best column must stay behind: one column tells, not the whole task."""
MIN_VALUES = 8
"""Values of a column that tells the class; fewer may be the class's own definition."""
DROPPED = r"\.drop\(|drop_columns|columns?\s*=|read_csv|loadtxt|genfromtxt|\[\[|iloc\["


class TargetInFeatures(Rule):
    """A feature contains the answer.

    What it detects:
        One column of the model's input orders a continuous target almost perfectly, or each of its
        many repeated values always comes with the same class, and no other column comes near.
    Why it breaks training:
        The model reads the answer off that column; where it is not known yet, it is useless.
    Evidence:
        column.tells: the column's figure, the next best column's, and the rows compared.
    Example:
        features = frame.drop(columns=["log_price"])  # "price" stays
    Use instead:
        features = frame.drop(columns=["log_price", "price"])
    Can be confused with:
        A good feature (correlated, with exceptions: silent); targets computed from one column
        without noise, in a toy task.
    Verify:
        Train on that column alone, and without it.
    Prevent:
        Ask of each feature whether it is known when the prediction is made; look at the column that
        predicts best alone.
    References:
        Kaufman et al., "Leakage in Data Mining" (2012).
    """

    slug: ClassVar[str] = "target-in-features"
    title: ClassVar[str] = "A feature contains the answer"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"too-good": -3, "overfitting": -9}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"(column|feature) .{0,40}(answer|target|label|leak)", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("column.tells", "columns.summary")
    fix_summary: ClassVar[str] = "Leave the column out of the features"
    prevention: ClassVar[str] = (
        "Ask of each feature whether it is known when the prediction is made, and train once on "
        "the best single column."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("column.tells")
        if record is None:
            return [missing("no table of inputs met its targets at a loss")]
        data = record.data
        figure, following = number(data["figure"]), number(data["next"])
        by_rank = data["by"] == "rank"
        told = (
            f"orders the target with a rank correlation of {figure:.4f} (next {following:.2f})"
            if by_rank
            else f"tells the class of {figure:.0%} of rows by a value that repeats "
            f"({data['values']} values; next column {following:.0%})"
        )
        text = f"Column {data['column']} of the input {told}, over {data['rows']} rows"
        fact = Fact("column.tells", text, record.at, record.step, dict(data))
        limit = RANK if by_rank else PURE
        few = not by_rank and int(data["values"]) < MIN_VALUES
        if figure < limit or figure - following < GAP or few:
            return [silent(text, facts=(fact,))]
        lines = lines_matching(examination.sources, DROPPED)
        return [fired(DECISIVE, fact, text, places=[*lines[:1], record.at], direct=True)]
