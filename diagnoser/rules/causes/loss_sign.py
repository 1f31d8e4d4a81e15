"""The cause `loss-sign`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
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
from diagnoser.rules.examination import Examination, LossCurve, Record, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_edits import is_statement
from diagnoser.rules.source_search import assignment_above
from diagnoser.schema import Edit

MIN_LOOKED = 3
FALLEN = 0.5
"""Share of the first loss by which the loss must fall below zero to count as running away."""
WORDS: Mapping[str, str] = {
    "log_prob": "the log-likelihood of the data",
    "Pow": "a square",
    "Mul": "a square",
    "MseLoss": "a mean squared error",
    "NllLoss": "a cross-entropy",
}


class LossSign(Rule):
    """A term of the loss has the wrong sign, so the update climbs where it should descend.

    What it detects:
        A term that cannot be negative (a square, a norm, a library loss) stands in the loss with a
        negative factor and the loss falls below zero without an end; or the log-likelihood of given
        data is minimised as it is.
    Why it breaks training:
        The optimizer makes the term as bad as it can: the loss looks better and better while the
        model gets worse.
    Evidence:
        loss.signs: the sign and factor of each known term in the graphs looked at; the loss curve.
    Example:
        loss = model(x).log_prob(y).mean()
    Use instead:
        loss = -model(x).log_prob(y).mean()
    Can be confused with:
        Losses that may be negative (densities, policy gradients, entropy bonuses): no term of known
        direction is turned round there; a generator that maximises the discriminator's error (a
        second optimizer: silent).
    Verify:
        Print the term alone: it must fall during training (a log-likelihood must rise).
    Prevent:
        Assert that weights of loss terms are not negative; plot each term.
    References:
        PyTorch documentation, torch.distributions ("score function"); Goodfellow et al., Deep
        Learning, 5.5 (maximum likelihood).
    """

    slug: ClassVar[str] = "loss-sign"
    title: ClassVar[str] = "A term of the loss has the wrong sign"
    category: ClassVar[str] = "divergence"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-explodes": -6,
        "underfitting": -8,
        "too-good": -8,
        "loss-nan": -9,
        "loss-swings": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"negative (loss|and)|below zero|goes? (to )?(minus|negative)|"
            r"minus infinity|loss .{0,20}-\d{3,}|sign",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.signs", "loss.value")
    judged_by_loss: ClassVar[bool] = False
    fix_summary: ClassVar[str] = "Turn the sign of the term round"
    prevention: ClassVar[str] = (
        "Plot each term of the loss by itself, and assert that the weights of terms are positive."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = [r for r in examination.of("loss.signs") if int(r.data["looked"]) >= MIN_LOOKED]
        if not records:
            return [missing("fewer than three backward graphs were looked at")]
        findings = []
        for record in records:
            for label, term in self._turned(record):
                findings.append(self._read(examination, record, label, term))
        return findings or [silent("no term of known direction is turned round")]

    @staticmethod
    def _turned(record: Record) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Terms that always stand with the sign that makes them worse."""
        for label, term in record.data.get("terms", {}).items():
            positive, negative = int(term.get("positive", 0)), int(term.get("negative", 0))
            wrong, right = (positive, negative) if label == "log_prob" else (negative, positive)
            if wrong >= MIN_LOOKED and not (right and label == "log_prob"):
                yield label, term

    def _read(
        self, examination: Examination, record: Record, label: str, term: Mapping[str, Any]
    ) -> Finding:
        what = WORDS.get(label, f"a term that is never negative ({label})")
        factor = number(term.get("factor"))
        curve = next((c for c in examination.curves if c.at == record.at), examination.curve)
        runs_away, fall = _runs_away(curve)
        alone = int(record.data.get("optimizers", 1)) <= 1
        verb = "is minimised" if label == "log_prob" else f"stands with the factor {factor:g}"
        note = (
            f"{what[0].upper()}{what[1:]} {verb} in the loss at {place_text(record.at)} "
            f"({record.data['looked']} graphs looked at){fall}"
        )
        place = assignment_above(examination.sources, record.at)
        facts = {**record.data, "term": label}
        fact = Fact("loss.signs", note, place or record.at, record.step, facts)
        settled = alone and runs_away
        weight = DECISIVE if settled else MODERATE
        return fired(weight, fact, note, places=[place, record.at], direct=settled)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        """Negate the assigned value, where it is the log-likelihood and nothing else."""
        for finding in findings:
            fact = finding.facts[0] if finding.direct and finding.facts else None
            if fact is None or fact.at is None or fact.data.get("term") != "log_prob":
                continue
            if len(fact.data.get("terms", {})) > 1 or int(fact.data.get("other", 0)):
                continue
            line = source.line(fact.at.file, fact.at.line)
            found = re.fullmatch(r"(?P<head>\s*[\w.]+\s*=\s*)(?P<value>[^=#].*?)\s*", line)
            if found is None or not is_statement(line):
                continue
            after = f"{found['head']}-({found['value']})"
            edit = Edit(
                file=fact.at.file, line=fact.at.line, cause=self.slug, before=line, after=after
            )
            return [edit]
        return []


def _runs_away(curve: LossCurve | None) -> tuple[bool, str]:
    """Whether the loss falls far below zero and is still falling at the end, and how to say it."""
    if curve is None:
        return False, ""
    first, last = curve.edge(end=False), curve.edge(end=True)
    if not (math.isfinite(first) and math.isfinite(last)):
        return False, ""
    text = f"; the loss goes from {first:.4g} to {last:.4g}"
    return last < 0 and first - last > FALLEN * abs(first), text
