"""The cause `loss-term-lost`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, WEAK, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import place_text

MIN_LOST = 3
"""Times in a row that a term must have been made and not used; once may be a warm-up."""


class LossTermLost(Rule):
    """A loss that each step computes reaches no backward call.

    What it detects:
        A scalar loss with a graph that is made in every step looked at and is in the graph of no
        backward call, while parameters that only it reaches are trained by an optimizer.
    Why it breaks training:
        The part of the model that this term is for gets no gradient and keeps its initial weights.
    Evidence:
        loss.term: how often the term was made and lost, and the parameters only it reaches;
        parameters.reach: those parameters are held by an optimizer and do not change.
    Example:
        for name, logits in outputs.items():
            loss = criterion(logits, labels[name])
        loss.backward()
    Use instead:
        loss = sum(criterion(logits, labels[name]) for name, logits in outputs.items())
        loss.backward()
    Can be confused with:
        A value that is only printed (its parameters are reached by other terms: silent); a cut
        graph, where the term is in the loss and its gradient stops.
    Verify:
        After backward, print the names of the parameters whose `.grad` is None.
    Prevent:
        Assert after the first backward that every parameter of the optimizer has a gradient.
    References:
        PyTorch documentation, "Autograd mechanics".
    """

    slug: ClassVar[str] = "loss-term-lost"
    title: ClassVar[str] = "A loss term reaches no backward call"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"underfitting": -6, "loss-flat": -8, "loss-plateaus": -8}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"two (losses|outputs|heads|terms)|second (loss|head|term)|auxiliary|"
            r"multi.?task|one of the (heads|outputs|losses)",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.term", "loss.earlier", "parameters.reach")
    fix_summary: ClassVar[str] = "Add the term to the loss on which backward is called"
    prevention: ClassVar[str] = (
        "Assert after the first backward that every parameter of the optimizer has a gradient."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        looked = examination.last("loss.earlier")
        if looked is None or int(looked.data.get("looked", 0)) < MIN_LOST:
            return [missing("fewer than three backward graphs were looked at")]
        reach = examination.data("parameters.reach")
        if int(reach.get("fresh_only", 0)) >= int(reach.get("walked", 0)) > 0:
            return [silent("no loss reaches any parameter: the graph is cut before all terms")]
        idle = self._idle(examination)
        findings = []
        for record in examination.of("loss.term"):
            made, lost = int(record.data.get("made", 0)), int(record.data.get("lost", 0))
            if lost < MIN_LOST or lost < made - 1:
                continue
            if idle & set(record.data.get("only", ())):
                findings.append(self._read(record, made, lost))
        if findings:
            return findings
        return [silent("the losses that reach parameters of their own are part of a backward call")]

    @staticmethod
    def _idle(examination: Examination) -> set[int]:
        """Ids of the parameters that an optimizer holds and that never change."""
        reach = examination.last("parameters.reach")
        rows = reach.data.get("rows", ()) if reach is not None else ()
        return {
            int(row["id"])
            for row in rows
            if row.get("held") and not row.get("reached") and not row.get("changed")
        }

    @staticmethod
    def _read(record: Record, made: int, lost: int) -> Finding:
        names = ", ".join(record.data.get("names", ())[:4])
        root, backward = (location(record.data.get(key)) for key in ("root_at", "backward_at"))
        note = (
            f"The term {record.data['label']} made at {place_text(record.at)} was in no backward "
            f"call in {lost} of {made} steps looked at; only it reaches "
            f"{names or 'some parameters'}, which the optimizer holds and which never change"
        )
        fact = Fact("loss.term", note, record.at, record.step, dict(record.data))
        places = [root, record.at, backward] if root is not None else [backward, record.at]
        return fired(DECISIVE + WEAK, fact, note, places=places, direct=True)
