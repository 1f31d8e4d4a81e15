"""The cause `missing-train-mode`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    STRONG,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.causes.missing_eval_mode import is_evaluation
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text

MIN_USED = 2
"""Backward calls (of those looked at) that must have used a forward in eval mode."""


class MissingTrainMode(Rule):
    """After the first validation, training goes on in eval mode.

    What it detects:
        Forwards whose output a backward uses run in training mode at first and in eval mode from
        some step on, with dropout or batch-norm layers switched off.
    Why it breaks training:
        Dropout no longer regularises, batch-norm normalises with statistics that stand still.
    Evidence:
        mode.calls: training calls by mode and step; mode.set: the eval() after which no train()
        follows.
    Example:
        model.train()
        for epoch in range(epochs):
            train_one_epoch(model)
            model.eval()
            validate(model)
    Use instead:
        for epoch in range(epochs):
            model.train()
            train_one_epoch(model)
            model.eval()
            validate(model)
    Can be confused with:
        Batch-norm kept in eval() on purpose while the rest trains (the model itself is in training
        mode: silent); adversarial examples made in eval mode.
    Verify:
        Print model.training at the head of each epoch.
    Prevent:
        Call train() at the head of the training function, not once before the loop.
    References:
        PyTorch documentation, torch.nn.Module.train.
    """

    slug: ClassVar[str] = "missing-train-mode"
    title: ClassVar[str] = "Training goes on in eval mode"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "overfitting": -2,
        "inconsistent": -6,
        "loss-plateaus": -7,
        "underfitting": -7,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(after|since) (the )?first (validation|evaluation|epoch|test)|"
            r"after (each|every) (validation|evaluation)|\.train\(\)",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("mode.calls", "mode.set")
    fix_summary: ClassVar[str] = "Call model.train() at the head of each training epoch"
    prevention: ClassVar[str] = (
        "Call train() at the head of the function that trains one epoch, and assert model.training "
        "there."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        used = [r for r in examination.of("mode.calls") if int(r.data.get("used", 0)) > 0]
        if not used:
            return [missing("no forward that a backward used was seen")]
        before = [r for r in used if r.data.get("training") and int(r.data.get("active", 0)) > 0]
        after = [
            r
            for r in used
            if not r.data.get("training")
            and int(r.data.get("inactive", 0)) > 0
            and int(r.data.get("used", 0)) >= MIN_USED
        ]
        switched = [
            (late, early)
            for late in after
            for early in before
            if late.data.get("model") == early.data.get("model")
            and int(late.data["first_step"]) > int(early.data["first_step"])
            and int(late.data["last_step"]) > int(early.data["last_step"])
        ]
        if switched:
            return [self._switched(*switched[0], examination)]
        if after and not before:
            return [self._from_the_start(after[0], examination)]
        return [silent("training runs in training mode throughout")]

    @staticmethod
    def _from_the_start(first: Record, examination: Examination) -> Finding:
        """Trained in eval mode throughout; a slip if only evaluations set that mode.

        Whoever freezes dropout or batch-norm on purpose says so where the training is set up, not
        in the function that evaluates.
        """
        note = (
            f"{first.data['class']} is trained in eval mode from the start at "
            f"{place_text(first.at)}: dropout and batch-norm are off in all "
            f"{first.data['calls']} calls"
        )
        evaluating = {
            (record.at.file, record.data.get("function"))
            for record in examination.of("mode.calls")
            if record.at is not None and is_evaluation(record)
        }
        training = {
            (record.at.file, record.data.get("function"))
            for record in examination.of("mode.calls")
            if record.at is not None and not is_evaluation(record)
        }
        evals = [r for r in examination.of("mode.set") if not r.data.get("training")]
        slips = [
            record
            for record in evals
            if record.at is not None
            and (record.at.file, record.data.get("function")) in evaluating - training
        ]
        if not evals or len(slips) < len(evals):
            fact = Fact("mode.calls", note, first.at)
            return fired(MODERATE, fact, note, places=[first.at])
        note += (
            f"; the only call of eval() is that of the evaluation at {place_text(slips[0].at)} and "
            f"no train() follows it"
        )
        fact = Fact("mode.calls", note, first.at)
        places = [slips[0].at, first.at]
        return fired(STRONG, fact, note, places=places, direct=True)

    @staticmethod
    def _switched(late: Record, early: Record, examination: Examination) -> Finding:
        note = (
            f"{late.data['class']} trains in eval mode from update {late.data['first_step']} on "
            f"({late.data['calls']} calls at {place_text(late.at)}, dropout and batch-norm off); "
            f"before it trained in training mode"
        )
        evals = [r for r in examination.of("mode.set") if not r.data.get("training")]
        trains = [r for r in examination.of("mode.set") if r.data.get("training")]
        if evals:
            note += f"; eval() at {place_text(evals[0].at)} is not followed by train()"
        places = [*(r.at for r in evals[:1]), *(r.at for r in trains[:1]), late.at]
        fact = Fact("mode.calls", note, late.at, int(late.data["first_step"]))
        return fired(DECISIVE, fact, note, places=places, direct=True)
