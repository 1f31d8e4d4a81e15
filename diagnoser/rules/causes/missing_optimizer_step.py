"""The cause `missing-optimizer-step`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.readings import last_by_place, place_text
from diagnoser.rules.wording import UNCHANGED, WEIGHTS_STAY, WHATEVER_RATE

MIN_REACHING = 3
"""Backward calls (of those looked at) that must have filled the optimizer's gradients."""
MIN_UNFINISHED = 200
"""Backward calls without a step in a run that was stopped early; accumulation over more is rare."""


class MissingOptimizerStep(Rule):
    """Gradients are computed for an optimizer's parameters and never applied.

    What it detects:
        The loss reaches parameters that an optimizer holds; over the whole run that optimizer
        makes no step and none of its parameters changes.
    Why it breaks training:
        The model keeps its initial weights: the loss only shows the noise of the batches.
    Evidence:
        optimizer.summary: 0 updates beside backward calls that reached its parameters, and 0
        changed parameters. `optimizer.step` without parentheses, a condition that never holds
        and a forgotten second optimizer look alike here.
    Example:
        loss.backward()
        optimizer.step
    Use instead:
        loss.backward()
        optimizer.step()
    Can be confused with:
        Updates written by hand beside an unused optimizer (parameters change: silent); gradient
        accumulation over more batches than the run had.
    Verify:
        Compare a weight before and after one step.
    Prevent:
        Assert after the first update that at least one parameter has changed.
    References:
        PyTorch documentation, torch.optim, "Taking an optimization step".
    """

    slug: ClassVar[str] = "missing-optimizer-step"
    title: ClassVar[str] = "The optimizer never steps"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -3,
        "underfitting": -6,
        "loss-plateaus": -6,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 8),
        Cue(WHATEVER_RATE, 4),
        Cue(WEIGHTS_STAY, 8),
        Cue(r"(forgot|missing|no|never|without).{0,24}\.?step\b", 8),
    )
    needs: ClassVar[tuple[str, ...]] = ("optimizer.summary", "loss.last")
    fix_summary: ClassVar[str] = "Call step() after backward, for each optimizer"
    prevention: ClassVar[str] = (
        "Assert after the first update that a parameter of each optimizer has changed."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        summaries = last_by_place(examination, "optimizer.summary")
        if not summaries:
            return [missing("no optimizer was constructed")]
        ended = examination.data("run.end")
        backwards = int(ended.get("backwards", 0))
        whole = examination.stopped == "finished"
        losses = [record.at for record in examination.of("loss.last") if record.at is not None]
        steps = [record.data.get("step_at") for record in summaries]
        findings = []
        for record in summaries:
            data = record.data
            idle = int(data.get("updates", 0)) == 0 and int(data.get("changed", 0)) == 0
            if not idle or int(data.get("reaching", 0)) < MIN_REACHING:
                continue
            if not whole and backwards < MIN_UNFINISHED:
                continue
            note = (
                f"{data['class']} made 0 updates in {backwards} backward calls that reach its "
                f"{data['parameters']} parameters; none of them has changed"
            )
            if record.at is not None:
                note += f" (constructed at {place_text(record.at)})"
            fact = Fact("optimizer.summary", note, record.at, record.step, dict(data))
            others = [raw for raw in steps if raw is not None]
            places = [*losses[:1], record.at]
            if others:
                places = [location(others[0]), *places]
            findings.append(
                fired(DECISIVE if whole else STRONG, fact, note, places=places, direct=True)
            )
        return findings or [silent("every optimizer whose parameters the loss reaches steps")]
