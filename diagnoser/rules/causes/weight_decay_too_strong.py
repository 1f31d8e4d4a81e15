"""The cause `weight-decay-too-strong`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Fact, Finding, Rule, Trial, missing, silent
from diagnoser.rules.dynamics import by_experiment, learnt
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.readings import place_text

STRONG_DECAY = 0.02
"""Decay from which it is worth an experiment; 1e-4 to 1e-2 is usual."""
LEARNT = 0.6
"""Share of the first loss whose loss counts as learning: then decay is no hindrance."""


class WeightDecayTooStrong(Rule):
    """Weight decay is so strong that it overwhelms the data term.

    What it detects:
        An optimizer with a large weight decay in a run whose loss hardly falls, and that does fall
        without the decay.
    Why it breaks training:
        Each step pulls the weights to zero by more than the gradient moves them: outputs stay near
        zero or the mean.
    Evidence:
        settings.optimizer: the decay; the arm without weight decay, on two seeds.
    Example:
        optimizer = torch.optim.Adam(model.parameters(), weight_decay=0.5)
    Use instead:
        optimizer = torch.optim.Adam(model.parameters(), weight_decay=1e-4)
    Can be confused with:
        A rate that is too low; a model that regularisation keeps from overfitting on purpose.
    Verify:
        Train with a tenth of the decay.
    Prevent:
        Start from 1e-4 and raise it only where validation improves.
    References:
        Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2019).
    """

    slug: ClassVar[str] = "weight-decay-too-strong"
    title: ClassVar[str] = "Weight decay overwhelms the data term"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"underfitting": -5, "loss-flat": -6, "loss-plateaus": -6}
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"weight.?decay|regulari[sz]|l2", 8),)
    needs: ClassVar[tuple[str, ...]] = ("settings.optimizer", "loss.value")
    trial: ClassVar[Trial | None] = Trial("no_weight_decay")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Lower the weight decay by powers of ten"
    prevention: ClassVar[str] = (
        "Start weight decay from 1e-4 and raise it only where validation improves."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = [
            record
            for record in examination.of("settings.optimizer")
            if number(record.data.get("values", {}).get("weight_decay", 0.0)) >= STRONG_DECAY
        ]
        if examination.curve is None or not examination.of("settings.optimizer"):
            return [missing("no optimizer stepped")]
        if not records or learnt(examination) > LEARNT:
            return [silent("weight decay is small, or the loss falls with it")]
        record = records[0]
        decay = number(record.data["values"]["weight_decay"])
        note = (
            f"{record.data['class']} at {place_text(record.at)} has a weight decay of {decay:g}, "
            f"and the loss loses {learnt(examination):.0%} of its first value"
        )
        fact = Fact("settings.optimizer", note, record.at, record.step)
        return [by_experiment(self, examination, note, fact, [record.at])]
