"""The cause `needs-lr-schedule`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Fact, Finding, Rule, Trial, missing, silent
from diagnoser.rules.dynamics import by_experiment, learnt
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import last_by_place
from diagnoser.rules.symptoms import read_all

ARM_UPDATES = 400
"""Updates of an arm at most (diagnoser.experiments.trials.MAX_UPDATES)."""
PART = 0.6
"""Share of the arm after which its rate falls to a tenth."""


class NeedsLrSchedule(Rule):
    """Progress stops at a noise floor that a smaller rate would break.

    What it detects:
        A loss that falls and then stays at a level, and ends far below it when the rate is a tenth
        in the last part of the run.
    Why it breaks training:
        At a constant rate the weights circle the minimum at a distance that the rate sets.
    Evidence:
        The loss curve; the arm with a tenth of the rate in its last part, on two seeds.
    Example:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    Use instead:
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    Can be confused with:
        A model that is too small, or noise in the targets (the arm does not help: refuted).
    Verify:
        Continue from the plateau with a tenth of the rate.
    Prevent:
        Let the rate decay over the planned number of epochs.
    References:
        Bottou, Curtis and Nocedal, "Optimization Methods for Large-Scale Machine Learning" (2018).
    """

    slug: ClassVar[str] = "needs-lr-schedule"
    title: ClassVar[str] = "Progress stops at the noise of a constant rate"
    category: ClassVar[str] = "convergence"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {
        "loss-plateaus": -3,
        "loss-swings": -6,
        "underfitting": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"(constant|fixed|same) (lr|learning.?rate|rate)|no schedul|without (a )?schedul", 6),
        Cue(
            r"(divided|lower|smaller|reduc\w+|tenth).{0,24}(lr|rate).{0,40}"
            r"(drop|fell|fall|better|at once)",
            12,
        ),
        Cue(r"jitter|hovers|around the same level|between \d[\d.]* and \d", 4),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.value", "optimizer.summary")
    trial: ClassVar[Trial | None] = Trial("late_decay")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Let the learning rate decay over the run"
    prevention: ClassVar[str] = "Let the rate decay over the planned number of epochs."

    def weigh(self, examination: Examination) -> list[Finding]:
        curve = examination.curve
        if curve is None or not examination.updates:
            return [missing("no loss curve was recorded")]
        readings = {reading.slug: reading for reading in read_all(examination)}
        plateau = readings["loss-plateaus"]
        if plateau.present != "yes" or not learnt(examination) > 0:
            return [silent("the loss does not fall and then stay at a level")]
        places = [record.at for record in last_by_place(examination, "optimizer.summary")]
        note = f"The loss falls and then stays at a level ({plateau.note})"
        fact = Fact("loss.value", note, places[0] if places else curve.at)
        return [by_experiment(self, examination, note, fact, places, "with a tenth of the rate")]

    def strengths(self, examination: Examination) -> tuple[Mapping[str, object], ...]:
        """The update from which the rate is a tenth, in an arm of usual length."""
        return ({"start": max(1, int(PART * min(examination.updates, ARM_UPDATES)))},)
