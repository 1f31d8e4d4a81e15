"""The cause `grad-scaler-misuse`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, Source, fired, missing, silent
from diagnoser.rules.crash import Crash
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_edits import insert_before, replace_once
from diagnoser.schema import Edit

MIN_STEPS = 3
"""Steps in which the order was wrong; a scaler skips single steps on purpose."""
MIN_SHARE = 0.8
REFUSALS = (
    "has already been called since the last update()",
    "has already been called on this optimizer since the last update()",
    "unscale_() is being called after step()",
)
BACKWARD = r"(?P<loss>[\w.]+)\.backward\("
SCALER_STEP = r"(?P<scaler>[\w.\[\]'\"]+)\.step\((?P<optimizer>[\w.\[\]'\"]+)\)"


class GradScalerMisuse(Rule):
    """A gradient scaler's calls come in the wrong order, so the update has the wrong size.

    What it detects:
        Clipping of gradients that still hold the scale; steps through the scaler after a backward
        call on the unscaled loss; steps past the scaler on scaled gradients; a second unscale_ or
        step without update.
    Why it breaks training:
        Gradients are a factor of the scale (thousands) too small or too large, or clipping leaves
        almost nothing of them.
    Evidence:
        gradient.scaler and gradient.clip: calls looked at, those out of order, and the scale.
    Example:
        scaler.scale(loss).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
    Use instead:
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
    Can be confused with:
        A rate that is too low; a scaler that is switched off (ignored); skipped steps.
    Verify:
        Print the gradient norm right before scaler.step, after scaler.unscale_(optimizer).
    Prevent:
        Keep scale, unscale_, clip, step and update together in one function.
    References:
        PyTorch documentation, "Automatic Mixed Precision examples", working with unscaled
        gradients.
    """

    slug: ClassVar[str] = "grad-scaler-misuse"
    title: ClassVar[str] = "The gradient scaler is used in the wrong order"
    category: ClassVar[str] = "numerical instability"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -7,
        "loss-nan": -8,
        "loss-explodes": -8,
        "underfitting": -9,
        "loss-plateaus": -9,
        "crash": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"grad.?scaler|scaler\.|unscale", 10),)
    needs: ClassVar[tuple[str, ...]] = ("gradient.scaler", "gradient.clip", "exception.raised")
    fix_summary: ClassVar[str] = (
        "Scale the loss for backward, unscale_ before clipping, step and update through the scaler"
    )
    prevention: ClassVar[str] = (
        "Keep scale, unscale_, clip, step and update together, in this order, in one function."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        scalers = examination.of("gradient.scaler")
        findings = [
            *(self._of_clip(record, scalers) for record in examination.of("gradient.clip")),
            *(self._of_steps(record) for record in scalers),
            self._of_crash(examination),
        ]
        kept = [finding for finding in findings if finding is not None]
        if kept:
            return kept
        if not scalers:
            return [missing("no enabled gradient scaler was used")]
        return [silent("the scaler's calls come in order")]

    @staticmethod
    def _of_clip(record: Record, scalers: Sequence[Record]) -> Finding | None:
        data = record.data
        looked, scaled = int(data.get("looked", 0)), int(data.get("scaled", 0))
        if scaled < MIN_STEPS or scaled < MIN_SHARE * looked:
            return None
        scale, norm = number(data.get("scale")), number(data.get("norm"))
        note = (
            f"In {scaled} of {looked} calls looked at, {data['function']} at "
            f"{place_text(record.at)} clipped gradients that still held the scale {scale:.6g}: "
            f"a norm of up to {norm:.4g} instead of {norm / scale:.4g} against the limit "
            f"{number(data.get('limit')):.4g}"
        )
        step = scalers[0].data.get("step_at") if scalers else None
        fact = Fact("gradient.clip", note, record.at, record.step, {**data, "step_at": step})
        return fired(DECISIVE, fact, note, places=[record.at], direct=True)

    @staticmethod
    def _of_steps(record: Record) -> Finding | None:
        data = record.data
        through, bare = int(data.get("through", 0)), int(data.get("unscaled_backward", 0))
        past, scale = int(data.get("past", 0)), number(data.get("scale"))
        backward, step = location(data.get("backward_at")), location(data.get("step_at"))
        if bare >= MIN_STEPS and bare >= MIN_SHARE * through:
            note = (
                f"In {bare} of {through} steps looked at, backward{_at(backward)} ran on the "
                f"unscaled loss and the scaler divided the gradients by {scale:.6g}"
            )
            places = [backward, step]
        elif past >= MIN_STEPS and past > through:
            note = (
                f"In {past} steps looked at, the optimizer stepped past the scaler on gradients "
                f"that hold the scale {scale:.6g} as a factor"
            )
            places = [step, backward]
        else:
            return None
        fact = Fact("gradient.scaler", note, places[0], record.step, dict(data))
        return fired(DECISIVE, fact, note, places=places, direct=True)

    @staticmethod
    def _of_crash(examination: Examination) -> Finding | None:
        raised = examination.last("exception.raised")
        crash = Crash(raised, examination) if raised is not None else None
        if crash is None or not any(text in crash.message for text in REFUSALS):
            return None
        return crash.finding(f"The scaler refused the call: {crash.message}")

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            fact = finding.facts[0] if finding.direct and finding.facts else None
            step = location(fact.data.get("step_at")) if fact is not None else None
            if fact is None or fact.at is None or step is None:
                continue
            call = re.search(SCALER_STEP, source.line(step.file, step.line))
            if call is None or step.file != fact.at.file:
                continue
            scaler, optimizer = call["scaler"], call["optimizer"]
            if fact.kind == "gradient.clip":
                statement = f"{scaler}.unscale_({optimizer})"
                edit = insert_before(source, fact.at, statement, self.slug)
            else:
                loss = re.search(BACKWARD, source.line(fact.at.file, fact.at.line))
                text = f"{scaler}.scale({loss['loss']}).backward(" if loss is not None else ""
                edit = replace_once(source, fact.at, BACKWARD, text, self.slug)
            return [edit] if edit is not None else []
        return []


def _at(place: object) -> str:
    return f" at {place_text(place)}" if place is not None else ""  # type: ignore[arg-type]
