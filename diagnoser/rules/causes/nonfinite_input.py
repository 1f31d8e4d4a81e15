"""The cause `nonfinite-input`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.nonfinite import FirstBad, NonfiniteRule, named, numpy_warning, source_line
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.rules.source_search import lines_matching

LOADING = r"from_pretrained\(|load_state_dict\(|\.copy_\(|torch\.load\("
"""Lines that bring weights in."""


class NonfiniteInput(NonfiniteRule):
    """NaN or inf already stands in the data, the labels or a loaded checkpoint.

    What it detects:
        A tensor that no operation of the run made holds NaN or inf when it first meets one.
    Why it breaks training:
        One bad row makes the loss of its batch NaN, and from there every weight.
    Evidence:
        nonfinite.first (entered): name, rows, count, the line where the data became a tensor;
        finite.input.
    Example:
        x = torch.tensor(frame.to_numpy())          # row 177 has an empty cell
    Use instead:
        frame = frame.dropna()
        x = torch.tensor(frame.to_numpy())
    Can be confused with:
        A division by zero while the data are standardised (then an operation made it).
    Verify:
        Print torch.isfinite(x).all() right after loading.
    Prevent:
        Assert finiteness where data enter, with the offending rows in the message.
    References:
        pandas documentation, Working with missing data.
    """

    slug: ClassVar[str] = "nonfinite-input"
    title: ClassVar[str] = "Data or a checkpoint bring in NaN or inf"
    prior: ClassVar[Mapping[str, int]] = {"loss-nan": -4, "loss-explodes": -12, "loss-flat": -12}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"nan in (the |my )?(data|csv|file|features?|table|input)|missing values?|"
            r"empty cells?|checkpoint|saved weights|resum\w+|continue from",
            6,
        ),
        Cue(
            r"no nans? in|(data|csv|inputs?|images|them)\W.{0,24}(no nan|is clean|"
            r"are fine|are ok)|checked (the|my) (data|inputs?)",
            -8,
        ),
    )
    fix_summary: ClassVar[str] = "Remove or fill the bad rows where the data are read"
    prevention: ClassVar[str] = "Assert that all inputs and labels are finite right after loading."

    def explain(self, first: FirstBad) -> Finding | None:
        if first.where == "parameters" and first.record.step == 0:
            loads = lines_matching(first.examination.sources, LOADING)
            note = f"{first.made} of {first.describe()} are in the weights before any update"
            return first.finding(note, loads[:2])
        if first.where != "entered" or numpy_warning(first, r"\w+( \w+)?") is not None:
            return None
        facts = first.operands[0] if first.operands else {}
        rows = facts.get("bad_rows") or []
        source = source_line(first)
        shape = shape_text(facts.get("shape"))
        note = f"{first.made} of {named(first)} {shape} are in the data already"
        if rows:
            shown = ", ".join(str(row) for row in rows[:3])
            note += f" (row {shown}; {facts.get('bad_row_count')} rows in all)"
        if source is not None:
            note += f"; they became a tensor at {place_text(source)}"
        return first.finding(note, [source])
