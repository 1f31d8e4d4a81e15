"""The cause `causal-mask-missing`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.token_targets import target_offset

VISIBLE = 1e-3
"""Movement of earlier outputs, as a share of the changed position's own, from which the model reads
the future; an untrained attention over 16 positions moves them by some per cent."""


class CausalMaskMissing(Rule):
    """A position can see the token that it must predict.

    What it detects:
        The targets are the inputs one position ahead, and a change of a later input moves earlier
        outputs.
    Why it breaks training:
        The answer stands in the input. Training and validation loss fall to 0, but at generation
        the future is not there: what is sampled is nonsense.
    Evidence:
        targets.tokens: share of targets that equal the next input; how far the outputs before a
        changed position move, and the first attention in whose rows the change appears.
    Example:
        out = F.scaled_dot_product_attention(q, k, v)
    Use instead:
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    Can be confused with:
        Masked language models and taggers, which may look at the whole sentence; targets that are
        not shifted.
    Verify:
        Change the last token of an input: no output but the last may move.
    Prevent:
        Test that a changed token moves no earlier output.
    References:
        Vaswani et al. 2017, section 3.2.3; PyTorch documentation,
        torch.nn.Transformer.generate_square_subsequent_mask.
    """

    slug: ClassVar[str] = "causal-mask-missing"
    title: ClassVar[str] = "Positions see the tokens that they must predict"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "too-good": -4,
        "overfitting": -5,
        "underfitting": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"mask|causal|gpt|transformer|generat", 5),)
    needs: ClassVar[tuple[str, ...]] = ("targets.tokens",)
    judged_by_loss: ClassVar[bool] = False
    fix_summary: ClassVar[str] = (
        "Mask the positions to come in each attention (or use no reverse pass)"
    )
    prevention: ClassVar[str] = "Test that a changed token moves no earlier output."

    def weigh(self, examination: Examination) -> list[Finding]:
        records = [
            record
            for record in examination.of("targets.tokens")
            if target_offset(record.data) == 1 and record.data.get("causality")
        ]
        if not records:
            if not examination.of("loss.inputs") and not examination.of("targets.tokens"):
                return [missing("no loss with targets was looked at")]
            return [silent("no model whose targets are its next inputs was seen")]
        for record in records:
            moves = record.data["causality"]
            earlier, own = number(moves.get("earlier_change")), number(moves.get("own_change"))
            if int(moves.get("earlier_moved", 0)) > 0 and earlier > VISIBLE * own:
                return [self._read(record, earlier, own)]
        moves = records[0].data["causality"]
        text = (
            f"A changed input at position {moves.get('position')} moves no earlier output "
            f"(at most {number(moves.get('earlier_change')):.2g})"
        )
        return [silent(text, facts=[Fact("targets.tokens", text, records[0].at)])]

    @staticmethod
    def _read(record: Record, earlier: float, own: float) -> Finding:
        moves = record.data["causality"]
        leak = location(moves.get("leak_at"))
        note = (
            f"{number(record.data.get('next')):.0%} of the targets are the model's input one "
            f"position ahead, and a changed input at position {moves.get('position')} moves "
            f"{moves.get('earlier_moved')} earlier outputs by up to {earlier:.3g} (its own by "
            f"{own:.3g})"
        )
        if leak is not None:
            note += f"; it gets there in the attention at {place_text(leak)}"
        called = location(record.data.get("called_at"))
        fact = Fact("targets.tokens", note, leak or record.at, record.step, dict(record.data))
        sure = bool(record.data.get("integer")) or leak is not None
        return fired(
            DECISIVE if sure else MODERATE,
            fact,
            note,
            places=[leak, called, record.at],
            direct=sure,
        )
