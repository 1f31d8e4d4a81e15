"""The cause `rebuilt-each-step`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text

MIN_BUILT = 5
MIN_SHARE = 0.8
"""Constructions for each update; an inner loop of several updates stays far below."""


class RebuiltEachStep(Rule):
    """An optimizer or a loader is constructed anew for every update.

    What it detects:
        Constructions of an optimizer, or of a DataLoader, from one line in nearly every step of
        the run.
    Why it breaks training:
        A new optimizer starts without momentum and moment estimates, so that Adam's and momentum's
        effect is lost; a new loader shuffles, and starts its workers, each time.
    Evidence:
        built.again: class, line and number of constructions beside the updates.
    Example:
        for x, y in loader:
            optimizer = torch.optim.Adam(model.parameters())
            step(optimizer, x, y)
    Use instead:
        optimizer = torch.optim.Adam(model.parameters())
        for x, y in loader:
            step(optimizer, x, y)
    Can be confused with:
        A new optimizer for each fold, task or phase (several updates each: silent).
    Verify:
        Print id(optimizer) in the loop.
    Prevent:
        Construct model, optimizer and loaders before the loop.
    References:
        PyTorch documentation, torch.optim, "Constructing it".
    """

    slug: ClassVar[str] = "rebuilt-each-step"
    title: ClassVar[str] = "An object is constructed anew in each step"
    category: ClassVar[str] = "performance"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"slow": -5, "loss-plateaus": -9, "underfitting": -9}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(new|creat\w+|build\w*|construct\w*) .{0,30}(optimizer|loader|tokenizer|model)"
            r" .{0,30}(each|every|in the loop)",
            10,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("built.again",)
    fix_summary: ClassVar[str] = "Construct it once, before the loop"
    prevention: ClassVar[str] = "Construct model, optimizer and loaders before the loop."

    def weigh(self, examination: Examination) -> list[Finding]:
        if examination.updates < MIN_BUILT:
            return [missing("fewer than five updates were made")]
        found = [r for r in examination.of("built.again") if self._is_rebuilt(r)]
        relevant = [
            r for r in found if r.data["kind"] == "optimizer" or "slow" in examination.asked
        ]
        if not relevant:
            return [silent("optimizers and loaders are constructed a few times only")]
        return [self._read(record) for record in relevant]

    @staticmethod
    def _is_rebuilt(record: Record) -> bool:
        data = record.data
        count, updates = int(data.get("count", 0)), int(data.get("updates", 0))
        return count >= MIN_BUILT and count >= MIN_SHARE * (updates - int(data.get("first", 0)))

    @staticmethod
    def _read(record: Record) -> Finding:
        data = record.data
        note = (
            f"{data['class']} is constructed {data['count']} times at {place_text(record.at)} in "
            f"{data['updates']} updates"
        )
        fact = Fact("built.again", note, record.at, record.step, dict(data))
        return fired(DECISIVE, fact, note, places=[record.at], direct=True)
