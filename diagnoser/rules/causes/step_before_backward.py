"""The cause `step-before-backward`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.readings import last_by_place, place_text
from diagnoser.rules.source_edits import move_line
from diagnoser.rules.wording import UNCHANGED
from diagnoser.schema import Edit

MIN_STEPS = 3
MIN_SHARE = 0.5
"""Share of the steps looked at that find no gradient although backward fills them each time."""


class StepBeforeBackward(Rule):
    """The optimizer steps before the backward call of the same batch.

    What it detects:
        The first step comes before any backward call, and in later steps the gradients that
        backward fills are cleared again before the optimizer uses them.
    Why it breaks training:
        Each update is empty (or made from the batch before), so the weights do not follow the loss.
    Evidence:
        gradients.bookkeeping: a first step without gradients, and the share of empty steps.
    Example:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()
        loss.backward()
    Use instead:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    Can be confused with:
        zero-grad-misplaced, where backward comes first and clearing stands between it and step;
        one early step on purpose, before the loop.
    Verify:
        Print the sum of |grad| right before step: it must not be zero.
    Prevent:
        Keep zero_grad, backward and step together, in this order.
    References:
        PyTorch documentation, "Optimizing model parameters" tutorial.
    """

    slug: ClassVar[str] = "step-before-backward"
    title: ClassVar[str] = "The optimizer steps before backward"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"loss-flat": -3, "underfitting": -7, "loss-plateaus": -9}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 3),
        Cue(r"step\(?\)? (before|ahead of) backward|order of .{0,20}(step|backward)", 10),
    )
    needs: ClassVar[tuple[str, ...]] = ("gradients.bookkeeping",)
    fix_summary: ClassVar[str] = "Let the optimizer step after backward"
    prevention: ClassVar[str] = (
        "Keep zero_grad, backward and step together in this order, in one function."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        books = [
            record
            for record in last_by_place(examination, "gradients.bookkeeping", "created_at")
            if int(record.data.get("attended", 0)) >= MIN_STEPS
        ]
        if not books:
            return [missing("fewer than three optimizer steps were seen")]
        findings = []
        for record in books:
            data = record.data
            empty, looked = int(data.get("empty", 0)), int(data["attended"])
            if not data.get("bare_first") or not int(data.get("backwards", 0)):
                continue
            step, backward = location(data.get("step_at")), location(data.get("backward_at"))
            places = [step, backward]
            if empty < MIN_SHARE * (looked - 1):
                note = f"{data['optimizer']} stepped once before the first backward call"
                fact = Fact("gradients.bookkeeping", note, step, record.step, dict(data))
                findings.append(fired(MODERATE, fact, note, places=places))
                continue
            note = (
                f"{data['optimizer']} steps at {place_text(step)} before backward at "
                f"{place_text(backward)}: the first step had no gradient, and in {empty} of the "
                f"{looked - 1} steps after it they had been cleared"
            )
            fact = Fact("gradients.bookkeeping", note, step, record.step, dict(data))
            findings.append(fired(DECISIVE, fact, note, places=places, direct=True))
        return findings or [silent("backward comes before each optimizer's first step")]

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        edits = []
        for finding in findings:
            facts = finding.facts[0].data if finding.direct and finding.facts else {}
            step, backward = location(facts.get("step_at")), location(facts.get("backward_at"))
            if step is not None and backward is not None:
                edit = move_line(source, step, backward, self.slug)
                edits += [edit] if edit is not None else []
        return edits
