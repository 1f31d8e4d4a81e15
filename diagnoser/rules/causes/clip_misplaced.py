"""The cause `clip-misplaced`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

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
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import last_by_place, place_text
from diagnoser.rules.source_edits import move_line
from diagnoser.schema import Edit

MIN_CALLS = 3


class ClipMisplaced(Rule):
    """Gradients are clipped where it changes no update: before backward or after the step.

    What it detects:
        In all calls looked at, a clip meets gradients that are None, zero, or already used by the
        optimizer's step, while the gradients that the optimizer does use exceed the limit.
    Why it breaks training:
        The update is as large as without clipping; what clipping was to prevent happens.
    Evidence:
        gradient.clip: what each call met, and the greatest norm when the optimizer stepped.
    Example:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        loss.backward()
        optimizer.step()
    Use instead:
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    Can be confused with:
        A limit that never binds (the norm stays below it: not diagnosed); clipping of each
        micro-batch during accumulation (gradients are fresh: silent).
    Verify:
        Print the gradient norm right before optimizer.step(): it must not exceed the limit.
    Prevent:
        Write clipping as the line before optimizer.step(), and log the norm that it returns.
    References:
        PyTorch documentation, torch.nn.utils.clip_grad_norm_.
    """

    slug: ClassVar[str] = "clip-misplaced"
    title: ClassVar[str] = "Clipping changes no update"
    category: ClassVar[str] = "divergence"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-explodes": -6,
        "loss-nan": -7,
        "loss-swings": -7,
        "underfitting": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"although .{0,20}clip|clip\w* .{0,40}(does nothing|no effect|"
            r"before backward|after (the )?step)|despite clip",
            10,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("gradient.clip", "gradients.bookkeeping")
    fix_summary: ClassVar[str] = "Clip between backward and the optimizer's step"
    prevention: ClassVar[str] = (
        "Write clipping as the line before optimizer.step() and log the norm that it returns."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        clips = [
            record
            for record in examination.of("gradient.clip")
            if int(record.data.get("looked", 0)) >= MIN_CALLS
        ]
        if not clips:
            return [missing("gradients are not clipped by torch.nn.utils")]
        books = last_by_place(examination, "gradients.bookkeeping", "created_at")
        backward = next((record.data.get("backward_at") for record in books), None)
        findings = [
            self._read(record, backward)
            for record in clips
            if not int(record.data.get("acting", 0))
        ]
        return findings or [silent("clipping acts on fresh gradients")]

    @staticmethod
    def _read(record: Record, backward: Any) -> Finding:
        data = record.data
        stale, looked = int(data.get("stale", 0)), int(data["looked"])
        limit, used = number(data.get("limit")), number(data.get("norm_at_step"))
        met = "gradients that the step had used" if stale else "gradients that were None or zero"
        note = (
            f"{data['function']} at {place_text(record.at)} met {met} in all {looked} calls looked "
            f"at; the optimizer stepped on a gradient norm of up to {used:.4g} (limit {limit:.4g})"
        )
        facts = {**data, "backward": backward}
        fact = Fact("gradient.clip", note, record.at, record.step, facts)
        binding = not used <= limit
        return fired(
            DECISIVE if binding else MODERATE, fact, note, places=[record.at], direct=binding
        )

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            fact = finding.facts[0] if finding.direct and finding.facts else None
            backward = location(fact.data.get("backward")) if fact is not None else None
            if fact is None or fact.at is None or backward is None:
                continue
            edit = move_line(source, fact.at, backward, self.slug)
            return [edit] if edit is not None else []
        return []
