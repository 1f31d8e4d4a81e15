"""The cause `loss-summed-before-backward`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, Source, fired, missing, silent
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.source_edits import replace_once
from diagnoser.schema import Edit

MIN_REPEATED = 3
"""Backward calls whose graph holds earlier losses; one may be a deliberate second pass."""


class LossSummedBeforeBackward(Rule):
    """Backward runs on a running total, so that the losses of old batches count again.

    What it detects:
        The graph of the loss holds the losses of earlier backward calls, with optimizer updates in
        between.
    Why it breaks training:
        Each update follows the sum of all gradients so far, taken at weights that are gone; the
        effective rate grows with every batch, and so do time and memory for backward.
    Evidence:
        loss.earlier: how many backward calls walk earlier losses again, and how many of them.
    Example:
        total += criterion(model(x), y)
        total.backward(retain_graph=True)
        optimizer.step()
    Use instead:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    Can be confused with:
        Accumulation over batches before one update; two losses of the same step that share a
        forward (no update between them: silent).
    Verify:
        Call backward without retain_graph: it must not raise.
    Prevent:
        Add up numbers (`loss.item()`), not tensors, for printing; do not pass retain_graph to
        silence an error.
    References:
        PyTorch documentation, FAQ, "My model reports cuda runtime error(2): out of memory".
    """

    slug: ClassVar[str] = "loss-summed-before-backward"
    title: ClassVar[str] = "Backward runs on a running total of losses"
    category: ClassVar[str] = "divergence"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-swings": -4,
        "loss-explodes": -5,
        "loss-nan": -9,
        "out-of-memory": -8,
        "slow": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"retain_graph|total_?loss.{0,20}backward|running.?loss.{0,20}backward|"
            r"slower (with|every|and)|sum of (all )?losses",
            10,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.earlier",)
    fix_summary: ClassVar[str] = "Call backward on the loss of this batch only"
    prevention: ClassVar[str] = (
        "Add up loss.item(), not the loss tensor, and never pass retain_graph to silence an error."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        record = examination.last("loss.earlier")
        if record is None or int(record.data.get("looked", 0)) < MIN_REPEATED:
            return [missing("fewer than three backward graphs were looked at")]
        looked, repeated = int(record.data["looked"]), int(record.data.get("with_earlier", 0))
        if repeated < MIN_REPEATED:
            return [silent("no backward call walks the loss of an earlier update again")]
        note = (
            f"In {repeated} of {looked} backward calls looked at, the graph still holds the losses "
            f"of earlier updates, up to {record.data['most']} of them"
        )
        fact = Fact("loss.earlier", note, record.at, record.step, dict(record.data))
        return [fired(DECISIVE, fact, note, places=[record.at], direct=True)]

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            facts = finding.facts[0] if finding.direct and finding.facts else None
            names = list(facts.data.get("fresh_names", ())) if facts is not None else []
            if facts is None or facts.at is None or len(names) != 1:
                continue
            place = location({"file": facts.at.file, "line": facts.at.line})
            if place is not None:
                edit = replace_once(
                    source, place, r"[\w.]+\.backward\(.*\)", f"{names[0]}.backward()", self.slug
                )
                return [edit] if edit is not None else []
        return []
