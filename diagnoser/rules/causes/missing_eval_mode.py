"""The cause `missing-eval-mode`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text

MIN_TRAINED_CALLS = 2


class MissingEvalMode(Rule):
    """Validation runs while dropout and batch-norm are in training mode.

    What it detects:
        A model that is trained in this run is called for evaluation (no gradient, or no backward
        uses the output and it feeds no other model) while mode-sensitive layers or functions are
        active.
    Why it breaks training:
        Dropout scatters and lowers the score, batch-norm uses the validation batch's own statistics
        and drags its running ones along: the number says nothing about the model.
    Evidence:
        mode.calls: line, training flag, layers active; mode.set: where train() and eval() are
        called. A call of train() right before the evaluation is taken as meant (Monte-Carlo
        dropout).
    Example:
        with torch.no_grad():
            accuracy = score(model(x_val), y_val)
    Use instead:
        model.eval()
        with torch.no_grad():
            accuracy = score(model(x_val), y_val)
        model.train()
    Can be confused with:
        Monte-Carlo dropout, batch-norm re-estimation, a generator or a key encoder that runs
        without gradient inside a training step.
    Verify:
        Call the evaluation twice: with the same weights it must give the same number.
    Prevent:
        Switch modes inside the evaluation function, not around its callers.
    References:
        PyTorch documentation, "Autograd mechanics", evaluation mode.
    """

    slug: ClassVar[str] = "missing-eval-mode"
    title: ClassVar[str] = "Evaluation runs in training mode"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "inconsistent": 0,
        "overfitting": -3,
        "loss-swings": -6,
        "underfitting": -7,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"batch.?norm|dropout", 6),
        Cue(
            r"batch(es)? of \d+.{0,40}(one by one|one at a time|single)|one (image|"
            r"sample|picture|row|by one)|batch.?size (of )?1\b|depends? on the batch|"
            r"single (image|sample)",
            8,
        ),
        Cue(r"(forgot|no|without|missing|never).{0,20}eval\(\)", 10),
        Cue(
            r"(same|identical) (weights|model|data|input)|two calls|each time i (call|"
            r"evaluate|test)|training (images|data|set)[^a-z]*(too|as well|instead)",
            5,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("mode.calls", "mode.set")
    fix_summary: ClassVar[str] = (
        "Call model.eval() before the evaluation and model.train() after it"
    )
    prevention: ClassVar[str] = (
        "Switch to eval() inside the evaluation function, and test that two evaluations of the "
        "same weights agree."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        calls = examination.of("mode.calls")
        if not calls:
            return [missing("no call of a model was seen")]
        evaluations = [record for record in calls if is_evaluation(record)]
        bad = [
            record
            for record in evaluations
            if record.data.get("training")
            and int(record.data.get("active", 0)) > 0
            and not record.data.get("mixed")
            and not self._is_meant(record, examination)
        ]
        if not bad:
            good = [r for r in evaluations if not r.data.get("training")]
            if good:
                text = f"Evaluation at {place_text(good[0].at)} runs in eval mode"
                return [silent(text, facts=(Fact("mode.calls", text, good[0].at),))]
            return [silent("no evaluation with active dropout or batch-norm was seen")]
        first = bad[0]
        note = (
            f"{first.data['class']} is evaluated at {place_text(first.at)} in training mode: "
            f"dropout or batch-norm was active in all {first.data['calls']} calls"
        )
        if not any(not record.data.get("training") for record in examination.of("mode.set")):
            note += "; eval() is never called"
        fact = Fact("mode.calls", note, first.at, int(first.data.get("first_step", 0)))
        certain = not first.data.get("grad")
        return [
            fired(
                DECISIVE if certain else STRONG,
                fact,
                note,
                places=[record.at for record in bad],
                direct=True,
            )
        ]

    @staticmethod
    def _is_meant(record: Record, examination: Examination) -> bool:
        """train() was called after the last update and before these calls: Monte-Carlo dropout."""
        calls = min(int(record.data.get("calls", 0)), 8)
        if int(record.data.get("train_set_just_before", 0)) < max(calls, 1):
            return False
        return any(not entry.data.get("training") for entry in examination.of("mode.set"))


def is_evaluation(record: Record) -> bool:
    """Whether calls of a trained model from one line were for evaluation."""
    data = record.data
    if not data.get("trained") or data.get("library") or data.get("feeds"):
        return False
    if data.get("grad"):
        return int(data.get("used", 0)) == 0 and int(data.get("unused", 0)) > 0
    return True
