"""The cause `zero-grad-misplaced`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.readings import last_by_place, place_text
from diagnoser.rules.wording import UNCHANGED, WHATEVER_RATE

MIN_EMPTY = 2
MIN_SHARE = 0.5


class ZeroGradMisplaced(Rule):
    """Gradients are cleared between backward and step, so that the update is empty.

    What it detects:
        A backward call fills gradients, and at the optimizer's step all of them are None or zero.
    Why it breaks training:
        The optimizer moves nothing (or, with momentum and weight decay, moves without the loss).
    Evidence:
        gradients.bookkeeping: updates with empty gradients after a backward that had filled them,
        and the line that cleared them in between.
    Example:
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
    Use instead:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    Can be confused with:
        A step before backward; a detached graph, where backward never fills them.
    Verify:
        Print the sum of |grad| right before step: it must not be zero.
    Prevent:
        Write zero_grad as the first of the three calls, or right after step.
    References:
        PyTorch documentation, "Optimizing model parameters" tutorial.
    """

    slug: ClassVar[str] = "zero-grad-misplaced"
    title: ClassVar[str] = "Gradients are cleared between backward and step"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"loss-flat": -3, "underfitting": -8, "loss-plateaus": -10}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 6),
        Cue(WHATEVER_RATE, 3),
        Cue(
            r"zero_?grad.{0,40}(after|before|between)|grad\w* (is|are) (always )?(zero|"
            r"0)\b",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("gradients.bookkeeping",)
    fix_summary: ClassVar[str] = (
        "Clear the gradients before backward, not between backward and step"
    )
    prevention: ClassVar[str] = (
        "Write zero_grad as the first of the three calls, and assert before step that some "
        "gradient is not zero."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        books = [
            record
            for record in last_by_place(examination, "gradients.bookkeeping", "created_at")
            if int(record.data.get("attended", 0)) >= MIN_EMPTY
        ]
        if not books:
            return [missing("fewer than two optimizer steps were seen")]
        findings = []
        for record in books:
            data = record.data
            empty, looked = int(data.get("empty", 0)), int(data["attended"])
            if empty < MIN_EMPTY or empty < MIN_SHARE * looked:
                continue
            if data.get("bare_first"):  # the optimizer steps before backward
                continue
            between = location(data.get("zeroed_between"))
            where = f", cleared at {place_text(between)}" if between else ""
            note = (
                f"In {empty} of {looked} updates looked at, all gradients that backward had filled "
                f"were None or zero when {data['optimizer']} stepped{where}"
            )
            fact = Fact("gradients.bookkeeping", note, between, record.step, dict(data))
            places = [between, location(data.get("backward_at")), location(data.get("step_at"))]
            findings.append(fired(DECISIVE, fact, note, places=places, direct=True))
        return findings or [silent("gradients were there at each step looked at")]
