"""The cause `scheduler-misuse`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Fact, Finding, Rule, Trial, missing, silent
from diagnoser.rules.dynamics import by_experiment, learnt
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.readings import last_by_place

COLLAPSED = 0.01
"""Rate over the first one from which a run has in effect ended."""
EARLY = 0.5
"""Share of the updates by which it must have collapsed; a decay to zero at the end is usual."""
LEARNT = 0.9
"""Share of the first loss whose loss counts as learnt: then the rate had done its work."""


class SchedulerMisuse(Rule):
    """The schedule takes the learning rate away before anything is learnt.

    What it detects:
        The rate of the updates falls to a hundredth of its greatest value within the first half of
        the run, and the run learns more at a constant rate.
    Why it breaks training:
        Updates become too small to matter: the loss stops where it was when the rate collapsed.
    Evidence:
        update.ratio: the rates by update; schedule.stepped: the line that steps the schedule; the
        arm with a constant rate, on two seeds.
    Example:
        for x, y in loader:
            train(x, y)
            scheduler.step()  # meant once an epoch
    Use instead:
        for epoch in range(epochs):
            train_epoch()
            scheduler.step()
    Can be confused with:
        A decay to zero at the end of the run, on purpose; a plateau that the data set.
    Verify:
        Print the rate of each epoch.
    Prevent:
        Log the rate beside the loss; count scheduler steps in the unit that the schedule means.
    References:
        PyTorch documentation, "How to adjust learning rate".
    """

    slug: ClassVar[str] = "scheduler-misuse"
    title: ClassVar[str] = "The schedule takes the learning rate away"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"loss-plateaus": -4, "loss-flat": -6, "underfitting": -6}
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"schedul|decay|warm.?up|cosine|steplr", 6),)
    needs: ClassVar[tuple[str, ...]] = ("update.ratio", "loss.value", "schedule.stepped")
    trial: ClassVar[Trial | None] = Trial("constant_rate")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Step the schedule in the unit that it means, over the whole run"
    prevention: ClassVar[str] = (
        "Log the rate beside the loss, and count scheduler steps in the unit that it means."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        pairs = [
            (int(record.data.get("update", 0)), max(map(number, record.data["rate"]), default=0.0))
            for record in examination.of("update.ratio")
            if record.data.get("rate")
        ]
        if len(pairs) < 3 or examination.curve is None:
            return [missing("fewer than three updates were looked at")]
        greatest = max(rate for _, rate in pairs)
        low = [update for update, rate in pairs if 0 <= rate <= COLLAPSED * greatest]
        top = max(update for update, rate in pairs if rate == greatest)
        fallen = [update for update in low if update > top]
        updates = examination.updates
        collapsed = bool(fallen) and min(fallen) <= EARLY * updates
        if not collapsed or learnt(examination) > LEARNT:
            return [silent(f"the rate stays above {COLLAPSED:.0%} of its greatest value")]
        last = pairs[-1]
        note = (
            f"The learning rate goes from {greatest:g} to {last[1]:.3g} by update {min(fallen)} of "
            f"{updates}, and the loss loses {learnt(examination):.0%} of its first value"
        )
        steps = sorted(examination.of("schedule.stepped"), key=lambda r: -int(r.data["calls"]))
        optimizer = [record.at for record in last_by_place(examination, "optimizer.summary")]
        places = [*(record.at for record in steps), *optimizer]
        fact = Fact("update.ratio", note, places[0] if places else None)
        return [by_experiment(self, examination, note, fact, places)]
