"""The cause `softmax-before-cross-entropy`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    STRONG,
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
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import place_text
from diagnoser.rules.unwrap_call import unwrap_call
from diagnoser.rules.wrappers import maker
from diagnoser.schema import Edit

MIN_CALLS = 2
ALL_ROWS = 0.999
"""Share of rows that must sum to one; free logits do so by chance in none."""
SOFTMAX_NODES = ("SoftmaxBackward0",)


class SoftmaxBeforeCrossEntropy(Rule):
    """Probabilities go into a cross-entropy that expects logits.

    What it detects:
        In training, every row that enters cross_entropy lies in [0, 1] and sums to one.
    Why it breaks training:
        The loss takes the softmax again: of C classes the surest answer still costs
        ln(1 + (C-1)/e) (1.46 for 10, 2.7 for 40), and gradients shrink with it.
    Evidence:
        loss.inputs: row sums, range, and the operation that made the input, looked for through
        views and copies.
    Example:
        return torch.softmax(self.head(x), dim=1)   # later: F.cross_entropy(output, y)
    Use instead:
        return self.head(x)
    Can be confused with:
        Attention weights inside the net; log_softmax before cross_entropy, which changes nothing;
        softmax at inference only.
    Verify:
        Print output.sum(1) right before the loss: logits do not sum to one.
    Prevent:
        Let forward return logits and take probabilities where they are shown.
    References:
        PyTorch documentation, torch.nn.CrossEntropyLoss ("unnormalized logits").
    """

    slug: ClassVar[str] = "softmax-before-cross-entropy"
    title: ClassVar[str] = "Probabilities go into a cross-entropy that expects logits"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -4,
        "loss-plateaus": -3,
        "underfitting": -6,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"softmax.{0,80}cross.?entropy|cross.?entropy.{0,80}softmax|"
            r"probabilities .{0,30}cross.?entropy",
            12,
        ),
        Cue(r"softmax", 4),
        Cue(r"\b(1\.4[67]|0\.31\d?)\b|never gets? (below|under|near)", 3),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.inputs",)
    trial: ClassVar[Trial | None] = Trial("logits_into_loss")
    fix_summary: ClassVar[str] = "Give the loss logits: leave the softmax out before it"
    prevention: ClassVar[str] = (
        "Let forward return logits, and assert in a test that they do not sum to one by row."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        calls = [
            record
            for record in examination.of("loss.inputs")
            if record.data.get("loss") == "cross_entropy"
            and (record.data.get("input") or {}).get("requires_grad")
            and int(record.data.get("classes", 0)) > 1
            and int(record.data.get("rows", 0)) > 0
        ]
        if len(calls) < MIN_CALLS:
            return [missing("no cross_entropy on a differentiable input was seen")]
        bad = [
            record for record in calls if float(record.data.get("probability_rows", 0)) >= ALL_ROWS
        ]
        if len(bad) < len(calls):
            first = calls[0]
            low = (first.data.get("input") or {}).get("min", 0.0)
            high = (first.data.get("input") or {}).get("max", 0.0)
            place = place_text(first.at)
            text = f"cross_entropy gets logits (range {low:.3g} to {high:.3g}) at {place}"
            return [silent(text, facts=(Fact("loss.inputs", text, first.at, first.step),))]
        first = bad[0]
        made = first.data.get("activation") or {}
        known = first.data.get("source") in SOFTMAX_NODES
        origin = maker(examination, made)
        by = f", made by {made.get('name', 'softmax')} at {place_text(origin)}" if origin else ""
        rows = sum(int(record.data["rows"]) for record in bad)
        note = (
            f"All {rows} rows that enter cross_entropy at {place_text(first.at)} are probabilities "
            f"(each sums to 1){by}; the loss expects logits"
        )
        fact = Fact("loss.inputs", note, first.at, first.step, {"classes": first.data["classes"]})
        places = [origin, first.at]
        return [fired(DECISIVE if known else STRONG, fact, note, places=places, direct=True)]

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if finding.direct and finding.places:
                edit = unwrap_call(source, finding.places[0], ("softmax", "Softmax"), self.slug)
                if edit is not None:
                    return [edit]
        return []
