"""The cause `missing-zero-grad`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    Trial,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import last_by_place, place_text
from diagnoser.rules.source_edits import insert_after
from diagnoser.schema import Edit, Location

MIN_CARRIED = 2
"""One update with an old gradient may be a restart; two in a row are a habit."""
MIN_SHARE = 0.3
"""Clearing once an epoch still carries gradients over in all other updates of that epoch."""


class MissingZeroGrad(Rule):
    """Gradients are never cleared, so each update also repeats all earlier ones.

    What it detects:
        An optimizer steps on gradients to which a backward call has added while they still held
        the values of before its last step.
    Why it breaks training:
        `backward` adds to `.grad`. With a constant gradient of 2 the optimizer sees 2, 4, 6 …: the
        effective rate grows with every step and points to the past; the loss swings or climbs.
    Evidence:
        gradients.bookkeeping: the share of updates with a carried-over gradient, read from the
        gradients' content, so that every way of clearing counts.
    Example:
        for x, y in loader:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
    Use instead:
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
    Can be confused with:
        Gradient accumulation on purpose, which clears after every step; a learning rate that is
        too high; a second optimizer whose backward passes through the same parameters (GAN).
    Verify:
        Print a parameter's `.grad.norm()` right before `backward`: it must be None or 0.
    Prevent:
        Keep zero_grad, backward and step together in one function that is called for each batch.
    References:
        PyTorch documentation, torch.optim.Optimizer.zero_grad; CS231n notes on gradient checks.
    """

    slug: ClassVar[str] = "missing-zero-grad"
    title: ClassVar[str] = "Gradients are not cleared between updates"
    category: ClassVar[str] = "divergence"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-swings": 0,
        "loss-explodes": -2,
        "loss-nan": -8,
        "underfitting": -6,
        "loss-flat": -8,
        "loss-plateaus": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"zero_?grad", 10),
        Cue(
            r"(smaller|lower|ten times smaller|tenth of the) (lr|learning.?rate|"
            r"rate).{0,40}(later|same|also)",
            10,
        ),
        Cue(
            r"(looks?|looked|starts?|is|was) (ok|fine|normal|good)\b.{0,40}(then|"
            r"but later|after)|first \d+ (steps|iterations|batches) (look|are|"
            r"were) (ok|fine|normal)",
            6,
        ),
        Cue(
            r"(bigger|larger|worse|faster) (and (bigger|larger|worse)|with (every|"
            r"each))|grad\w* .{0,20}(add up|accumulate|grow)",
            6,
        ),
        Cue(r"(never|not|don'?t|forgot to) (clear|zero|reset)\w* .{0,12}grad", 12),
    )
    needs: ClassVar[tuple[str, ...]] = ("gradients.bookkeeping",)
    trial: ClassVar[Trial | None] = Trial("zero_grads_before_backward")
    fix_summary: ClassVar[str] = "Clear the gradients once for each update"
    prevention: ClassVar[str] = (
        "Keep zero_grad, backward and step together in one function that runs for each batch, and "
        "check in a test that `.grad` is None or zero before backward."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        books = [
            record
            for record in last_by_place(examination, "gradients.bookkeeping", "created_at")
            if int(record.data.get("looked", 0)) >= MIN_CARRIED
        ]
        if not books:
            return [missing("fewer than two optimizer steps were seen")]
        found = [self._read(record) for record in books if self._is_carried(record)]
        if found:
            return found
        looked = sum(int(record.data["looked"]) for record in books)
        return [
            silent(
                "gradients were cleared before each update looked at",
                facts=(
                    Fact(
                        "gradients.bookkeeping",
                        f"Gradients were None or zero before each of {looked} updates looked at",
                    ),
                ),
            )
        ]

    @staticmethod
    def _is_carried(record: Record) -> bool:
        carried, looked = int(record.data.get("carried", 0)), int(record.data.get("looked", 0))
        return carried >= MIN_CARRIED and carried >= MIN_SHARE * looked

    @staticmethod
    def _read(record: Record) -> Finding:
        data = record.data
        backward = location(data.get("backward_at"))
        zeroed = [location(entry) for entry in data.get("zeroed_at", ())]
        note = (
            f"In {data['carried']} of {data['looked']} updates looked at, {data['optimizer']} "
            f"stepped on gradients that still held those of earlier updates"
        )
        cleared = (
            f"; they are cleared only at {place_text(zeroed[0])}" if zeroed else "; never cleared"
        )
        fact = Fact("gradients.bookkeeping", note + cleared, backward, record.step, dict(data))
        places: list[Location | None] = [backward, location(data.get("step_at")), *zeroed]
        return fired(DECISIVE, fact, note + cleared, places=places, direct=True)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        edits = []
        for finding in findings:
            if not finding.direct or not finding.facts:
                continue
            step = location(finding.facts[0].data.get("step_at"))
            if step is None:
                continue
            edit = insert_after(
                source,
                step,
                r"(?P<optimizer>[\w.\[\]'\"]+)\.step\(",
                "{optimizer}.zero_grad()",
                self.slug,
            ) or insert_after(
                source,
                step,
                r"\.step\((?P<optimizer>[\w.\[\]'\"]+)\)",
                "{optimizer}.zero_grad()",
                self.slug,
            )
            if edit is not None:
                edits.append(edit)
        return edits
