"""The cause `per-sample-loop`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import place_text, shape_text

MIN_CALLS = 8
"""Calls for one update; fewer cost little beside the update itself."""
MIN_SHARE = 0.95


class PerSampleLoop(Rule):
    """The model is called once for each sample where one batched call would do.

    What it detects:
        Many calls of the model for one update from one line, each on a single row of the same
        shape, none of which depends on another.
    Why it breaks training:
        Each call pays the same overhead for one row as for a thousand: the step takes many times
        as long as one batched call.
    Evidence:
        calls.per_update: calls for one update, rows of each, and whether inputs depend on earlier
        outputs; time.split: seconds an update.
    Example:
        predictions = torch.stack([model(row) for row in batch])
    Use instead:
        predictions = model(batch)
    Can be confused with:
        Recurrent loops, where a call needs the one before; samples of different sizes.
    Verify:
        Time model(batch) against the loop, and compare their outputs.
    Prevent:
        Write models and losses for a leading batch dimension.
    References:
        PyTorch performance tuning guide; torch.vmap for functions of one sample.
    """

    slug: ClassVar[str] = "per-sample-loop"
    title: ClassVar[str] = "The model is called once for each sample"
    category: ClassVar[str] = "performance"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"slow": -4}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"for (each|every|x|row|sample)\b.{0,40}(batch|row|sample)|one (sample|"
            r"row) at a time",
            6,
        ),
        Cue(r"(sklearn|numpy|vectori[sz]ed|matrix).{0,40}(instant|fast|second)", 4),
    )
    needs: ClassVar[tuple[str, ...]] = ("calls.per_update", "time.split")
    fix_summary: ClassVar[str] = "Call the model once with the whole batch"
    prevention: ClassVar[str] = "Write models and losses for a leading batch dimension."

    def weigh(self, examination: Examination) -> list[Finding]:
        split = examination.last("time.split")
        if split is None or int(split.data.get("updates", 0)) < 1:
            return [missing("fewer than two updates were timed")]
        each = number(split.data.get("wall")) / int(split.data["updates"])
        found = [r for r in examination.of("calls.per_update") if self._is_loop(r)]
        if not found or "slow" not in examination.asked:
            return [silent("the model is called a few times for each update")]
        record = max(found, key=lambda r: int(r.data["most"]))
        data = record.data
        note = (
            f"{data['class']} is called {data['least']} to {data['most']} times for one update at "
            f"{place_text(record.at)}, each time on one row {shape_text(data['shape'])}; an update "
            f"takes {1000 * each:.3g} ms"
        )
        fact = Fact("calls.per_update", note, record.at, record.step, dict(data))
        return [fired(DECISIVE, fact, note, places=[record.at], direct=True)]

    @staticmethod
    def _is_loop(record: Record) -> bool:
        data = record.data
        calls = int(data.get("calls", 0))
        return (
            int(data.get("least", 0)) >= MIN_CALLS
            and int(data.get("single", 0)) >= MIN_SHARE * calls
            and int(data.get("chained", 0)) <= (1 - MIN_SHARE) * calls
            and int(data.get("shapes", 0)) == 1
        )
