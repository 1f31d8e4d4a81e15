"""The cause `dropout-too-strong`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Fact, Finding, Rule, Trial, missing, silent
from diagnoser.rules.dynamics import by_experiment, learnt
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import place_text

HIGH = 0.7
"""Share dropped from which dropout is worth an experiment (0.1 to 0.5 is usual)."""
EXTREME, LEARNT_ANYWAY = 0.9, 0.6
LEARNT = 0.3
"""Share of the first loss whose loss counts as learning: then dropout is no hindrance."""


class DropoutTooStrong(Rule):
    """Dropout removes almost all signal.

    What it detects:
        Dropout layers with a high rate in a run whose loss hardly falls, and that does fall without
        them.
    Why it breaks training:
        So few units pass that the next layer sees mostly noise, in every step another one.
    Evidence:
        settings.layer: the rates; the arm without dropout, on two seeds.
    Example:
        self.drop = nn.Dropout(0.95)
    Use instead:
        self.drop = nn.Dropout(0.2)
    Can be confused with:
        Strong dropout on purpose in a large net that learns (the loss falls: silent); p meant as
        the share that is kept.
    Verify:
        Train once with p=0.
    Prevent:
        Remember that p is the share that is dropped; raise it only where validation improves.
    References:
        Srivastava et al., "Dropout" (2014).
    """

    slug: ClassVar[str] = "dropout-too-strong"
    title: ClassVar[str] = "Dropout removes almost all signal"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 3
    prior: ClassVar[Mapping[str, int]] = {"underfitting": -5, "loss-flat": -6, "loss-plateaus": -7}
    cues: ClassVar[tuple[Cue, ...]] = (Cue(r"dropout", 6),)
    needs: ClassVar[tuple[str, ...]] = ("settings.layer", "settings.summary", "loss.value")
    trial: ClassVar[Trial | None] = Trial("no_dropout")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Lower the share that dropout removes"
    prevention: ClassVar[str] = (
        "Remember that p is the share that is dropped, and raise it only where validation improves."
    )

    @staticmethod
    def _limit(record: Record) -> float:
        """How much the loss may fall beside such a rate; at the extreme it falls by luck."""
        return LEARNT_ANYWAY if number(record.data["values"]["p"]) >= EXTREME else LEARNT

    def weigh(self, examination: Examination) -> list[Finding]:
        if examination.curve is None or examination.last("settings.summary") is None:
            return [missing("no update was made")]
        records = [
            record
            for record in examination.of("settings.layer")
            if "Dropout" in str(record.data.get("class"))
            and HIGH <= number(record.data.get("values", {}).get("p", 0.0)) < 1
        ]
        record = max(records, key=lambda r: number(r.data["values"]["p"]), default=None)
        if record is None or learnt(examination) > self._limit(record):
            return [silent("dropout is moderate, or the loss falls with it")]
        rate = number(record.data["values"]["p"])
        note = (
            f"{record.data['class']} at {place_text(record.at)} drops {rate:.0%} of its input, and "
            f"the loss loses {learnt(examination):.0%} of its first value"
        )
        fact = Fact("settings.layer", note, record.at, record.step)
        return [by_experiment(self, examination, note, fact, [record.at])]
