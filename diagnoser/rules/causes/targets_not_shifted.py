"""The cause `targets-not-shifted`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    WEAK,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.rules.token_targets import target_offset
from diagnoser.schema import Location


class TargetsNotShifted(Rule):
    """A next-token model is asked for the token that it is looking at.

    What it detects:
        Integer targets equal the model's own input position by position, while each output sees
        its own position and earlier ones only.
    Why it breaks training:
        The answer stands in the input: the loss falls to 0 within seconds, the model learns to copy
        and generation repeats one token.
    Evidence:
        targets.tokens: share of targets that equal the input at the same and at the next position,
        and which outputs move when one position of the input is changed.
    Example:
        loss = F.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, :-1])
    Use instead:
        loss = F.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, 1:])
    Can be confused with:
        Models that shift inside their forward; masked language models, where the input differs from
        the target at the places that count; autoencoders, whose outputs see all positions.
    Verify:
        Print the first ten inputs and targets of a row: the target must be one token ahead.
    Prevent:
        Build input and target from one sequence in one place, and assert
        `(y[:, :-1] == x[:, 1:]).all()`.
    References:
        Bengio et al. 2003, A Neural Probabilistic Language Model; Hugging Face course, "Training a
        causal language model from scratch".
    """

    slug: ClassVar[str] = "targets-not-shifted"
    title: ClassVar[str] = "The targets are the inputs themselves, not the next tokens"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "too-good": -5,
        "overfitting": -6,
        "underfitting": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"gpt|language model|next.?(token|char|word)|"
            r"generat\w+ .{0,40}(same letter|garbage|repeat)",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("targets.tokens", "targets.source")
    judged_by_loss: ClassVar[bool] = False
    fix_summary: ClassVar[str] = "Take the targets one position ahead of the inputs"
    prevention: ClassVar[str] = (
        "Build input and target from one sequence in one place, and assert that the target is one "
        "token ahead."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = examination.of("targets.tokens")
        if not records:
            if not examination.of("loss.inputs"):
                return [missing("no loss with targets was looked at")]
            return [silent("no targets that repeat the model's input were seen")]
        for record in records:
            if target_offset(record.data) == 0:
                made = [
                    location(entry.data.get("made_at"))
                    for entry in examination.of("targets.source")
                    if entry.at == record.at
                ]
                finding = self._read(record, made[:1])
                if finding is not None:
                    return [finding]
        shares = records[0].data
        text = (
            f"{number(shares.get('next')):.1%} of the targets equal the input one position ahead, "
            f"{number(shares.get('same')):.1%} at their own position"
        )
        return [silent(text, facts=[Fact("targets.tokens", text, records[0].at)])]

    @staticmethod
    def _read(record: Record, made: Sequence[Location | None]) -> Finding | None:
        moves = record.data.get("causality") or {}
        if not record.data.get("integer") or not moves:
            return None
        causal = int(moves.get("earlier_moved", 0)) == 0 and number(moves.get("own_change")) > 0
        looks_back = number(moves.get("later_change")) > 0
        note = (
            f"All targets at {place_text(record.at)} equal the model's own input "
            f"{shape_text(record.data.get('shape'))} at the same position"
        )
        if causal:
            note += (
                f"; a changed token at position {moves.get('position')} moves its own output by "
                f"{number(moves.get('own_change')):.3g} and no earlier one"
            )
        called = location(record.data.get("called_at"))
        fact = Fact("targets.tokens", note, record.at, record.step, dict(record.data))
        sure = causal and looks_back
        return fired(
            DECISIVE if sure else WEAK, fact, note, places=[*made, record.at, called], direct=sure
        )
