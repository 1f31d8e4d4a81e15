"""The cause `missing-backward`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, Source, fired, missing, silent
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_edits import insert_before
from diagnoser.rules.wording import UNCHANGED, WEIGHTS_STAY, WHATEVER_RATE
from diagnoser.schema import Edit

MIN_STEPS = 3
"""Steps without any gradient; a single one may be a trick to silence a scheduler's warning."""


class MissingBackward(Rule):
    """The optimizer steps, and no gradient is ever computed.

    What it detects:
        Several optimizer steps in a run in which backward is never called and every gradient is
        None at each step looked at.
    Why it breaks training:
        An optimizer skips parameters without a gradient: the weights keep their initial values.
    Evidence:
        steps.bare: steps, backward calls (0), the scalar with a graph that was at hand.
    Example:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        optimizer.step()
    Use instead:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    Can be confused with:
        Gradients set by hand or by torch.autograd.grad (they are not None: silent); a closure
        that calls backward inside the step (seen there: silent).
    Verify:
        Print a parameter's `.grad` right before step: it must not be None.
    Prevent:
        Assert after the first update that a parameter has changed.
    References:
        PyTorch documentation, "Optimizing model parameters" tutorial.
    """

    slug: ClassVar[str] = "missing-backward"
    title: ClassVar[str] = "backward is never called"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"loss-flat": -3, "underfitting": -6, "loss-plateaus": -6}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 7),
        Cue(WHATEVER_RATE, 3),
        Cue(WEIGHTS_STAY, 6),
        Cue(
            r"grads? (is|are) (always )?none|(forgot|missing|no|never|"
            r"without).{0,24}backward",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("steps.bare",)
    fix_summary: ClassVar[str] = "Call backward on the loss before the optimizer's step"
    prevention: ClassVar[str] = (
        "Assert after the first update that a parameter of the optimizer has changed."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        if not examination.updates:
            return [missing("no optimizer step was seen")]
        findings = []
        for record in examination.of("steps.bare"):
            data = record.data
            if int(data.get("backwards", 0)) or int(data.get("steps", 0)) < MIN_STEPS:
                continue
            step, led = location(data.get("step_at")), location(data.get("led_from"))
            note = (
                f"{data['optimizer']} made {data['steps']} steps at {place_text(step)}, backward "
                f"was never called and all gradients were None"
            )
            fact = Fact("steps.bare", note, step, record.step, dict(data))
            findings.append(fired(DECISIVE, fact, note, places=[led, step], direct=True))
        return findings or [silent("backward is called before the optimizer steps")]

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        edits = []
        for finding in findings:
            facts = finding.facts[0].data if finding.direct and finding.facts else {}
            step, losses = location(facts.get("step_at")), list(facts.get("losses", ()))
            if step is not None and len(losses) == 1:
                edit = insert_before(source, step, f"{losses[0]}.backward()", self.slug)
                edits += [edit] if edit is not None else []
        return edits
