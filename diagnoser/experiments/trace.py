"""The second, heavier run: which operation made the first non-finite value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from diagnoser.rules.examination import Examination, Record, parse_records
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner

TRACE_COLLECTORS = ("first_nonfinite", "losses", "environment")
LEAD = 3
"""Backward calls before the first non-finite loss from which each operation is looked at: a bad
gradient shows one call before the loss does."""


def trace_nonfinite(
    runner: Runner, request: RunRequest, examination: Examination, left: Callable[[], float]
) -> tuple[tuple[Record, ...], list[RunOutcome]]:
    """Records that name the first non-finite value, and the runs that were made for them.

    The light run before tells from where to look closely; where that misses (the script is not
    seeded and fails earlier this time), one more run looks closely from the start.
    """
    found = examination.last("loss.nonfinite")
    if found is None:
        return (), []
    runs: list[RunOutcome] = []
    best: tuple[Record, ...] = ()
    start = max(int(found.data.get("backward", 0)) - LEAD, 0)
    for watch_from in dict.fromkeys((start, 0)):
        limit = left()
        if limit < 1.0:
            break
        outcome = runner.run(
            replace(
                request,
                name=f"trace from {watch_from}",
                time_limit=limit,
                seam={
                    **request.seam,
                    "collectors": list(TRACE_COLLECTORS),
                    "watch_from": watch_from,
                },
            )
        )
        runs.append(outcome)
        records = parse_records(outcome.records)
        kept = tuple(record for record in records if record.kind.startswith("nonfinite."))
        if any(_is_answer(record, watch_from) for record in kept):
            return kept, runs
        best = best or kept
    return best, runs


def _is_answer(record: Record, watch_from: int) -> bool:
    """Whether a record settles it; data that came in before the watching began are not named."""
    if record.kind != "nonfinite.first":
        return False
    entered = record.data.get("where") == "entered" and not record.data.get("sources")
    return not entered or watch_from == 0
