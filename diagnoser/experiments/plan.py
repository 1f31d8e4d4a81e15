"""Which interventions to try for which candidates, in what order."""

from __future__ import annotations

from collections.abc import Sequence

from diagnoser.rules.engine import Judged, Verdict

MAX_CANDIDATES = 3


def candidates_to_try(verdict: Verdict, fixable: Sequence[str], *, thorough: bool) -> list[Judged]:
    """Candidates with a trial and something that proposes them, best first.

    A cause with an exact fix is settled by the re-run with that fix, which is the same experiment
    on the user's own lines. A cause that only an experiment can settle is left alone when a defect
    was observed that may explain the same symptom, unless everything is to be tried.
    """
    observed = [entry for entry in verdict.judged if entry.grade in ("observed", "confirmed")]
    chosen = []
    for entry in verdict.judged:
        if entry.rule.trial is None or entry.rule.slug in fixable:
            continue
        if not any(f.outcome == "fired" and f.decibans > 0 for f in entry.findings):
            continue
        if entry.rule.experiment_only and observed and not thorough:
            continue
        chosen.append(entry)
    return chosen[: None if thorough else MAX_CANDIDATES]
