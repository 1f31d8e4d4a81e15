"""The stages of an answer that run something: probe, trace, experiments, verification."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from diagnoser.fixes.patch import relative
from diagnoser.fixes.proposal import Proposal, fixable, propose
from diagnoser.intake.sources import sources_named
from diagnoser.pipeline.options import Bench
from diagnoser.pipeline.reading import with_run
from diagnoser.rules.engine import Verdict, judge, without
from diagnoser.rules.examination import Examination
from diagnoser.rules.registry import all_rules

PROBE_SHARE = 0.5
"""Share of the budget that the probe run may take; experiments and verification share the rest."""
MIN_ARM_SECONDS = 2.0
TRACE_SHARE = 0.5
"""Share of what is left that each trace of a non-finite value may take."""


def probe(bench: Bench) -> None:
    """Run the script under the probes and judge what they saw."""
    work = bench.work
    bench.progress("probe run")
    limit = max(bench.left() * PROBE_SHARE, 1.0)
    outcome = bench.runner.run(replace(bench.request, time_limit=limit))
    work.runs.append(outcome)
    work.seconds["startup"] = outcome.startup_seconds
    work.seconds["probe"] = outcome.seconds
    named = sources_named(outcome.records, work.folder)
    sources = {**named, **work.examination.sources}
    work.examination = with_run(replace(work.examination, sources=sources), outcome)
    work.verdict = judge(work.examination, all_rules())


def trace(bench: Bench) -> None:
    """Where the loss is not finite, find the operation that made it so."""
    from diagnoser.experiments.trace import trace_nonfinite

    work = bench.work
    if work.examination.last("loss.nonfinite") is None:
        return
    mark = time.monotonic()
    bench.progress("second run: the first non-finite value")
    records, runs = trace_nonfinite(
        bench.runner, bench.request, work.examination, lambda: bench.left() * TRACE_SHARE
    )
    work.runs.extend(runs)
    if records:
        kept = (*work.examination.records, *records)
        work.examination = replace(work.examination, records=kept)
        work.verdict = judge(work.examination, all_rules())
    work.seconds["probe"] += time.monotonic() - mark


def experiment(bench: Bench) -> None:
    """Try the candidates' interventions and judge again with what the arms showed."""
    from diagnoser.experiments.plan import candidates_to_try
    from diagnoser.experiments.trials import Arms, try_all

    work, thorough = bench.work, bench.options.thorough
    mark = time.monotonic()
    settled_by_fix = (
        fixable(work.verdict, work.examination.sources) if "verify" in bench.options.stages else ()
    )
    candidates = candidates_to_try(work.verdict, settled_by_fix, thorough=thorough)
    if candidates and work.examination.updates:
        arm_seconds = max(MIN_ARM_SECONDS, 1.5 * work.seconds["probe"] + 1.0)
        arms = Arms(
            bench.runner, bench.request, work.examination, bench.left, arm_seconds, bench.progress
        )
        outcomes, runs = try_all(candidates, arms, thorough=thorough)
        work.runs.extend(runs)
        if outcomes:
            work.examination = replace(work.examination, arms=tuple(outcomes))
            work.verdict = judge(work.examination, all_rules())
    work.seconds["experiments"] = time.monotonic() - mark


def fix(bench: Bench) -> None:
    """State the exact change for the first settled cause that allows one, and prove it."""
    work = bench.work
    proposal = propose(work.verdict, work.examination.sources, work.folder)
    if proposal is None:
        return
    work.fix, work.fixed = proposal.fix, proposal.entry.rule.slug
    if "verify" in bench.options.stages:
        mark = time.monotonic()
        if bench.left() >= work.seconds["probe"]:
            verify(bench, proposal)
        work.seconds["verify"] = time.monotonic() - mark


def verify(bench: Bench, proposal: Proposal) -> None:
    """Re-run the script with the proposed edits and judge what changed."""
    from diagnoser.fixes.verify import judge_fix

    work, rule = bench.work, proposal.entry.rule
    bench.progress(f"re-run with the fix for {rule.slug}")
    after = rerun(bench, "fix", proposal.patched)
    before = work.examination, work.verdict
    judged = judge_fix(rule.slug, before, after, by_loss=rule.judged_by_loss)
    work.fix = proposal.fix.model_copy(update=judged.fields)
    work.fix_note = judged.note
    if judged.worse:
        work.verdict = without(work.verdict, rule.slug)


def rerun(
    bench: Bench, name: str, patched: Mapping[str, str], *, network: bool = True
) -> tuple[Examination, Verdict]:
    """Run the script with patched files, by absolute path, and judge what was seen then."""
    work = bench.work
    outcome = bench.runner.run(
        replace(
            bench.request,
            role="verify",
            name=name,
            files={relative(path, work.folder): text for path, text in patched.items()},
            time_limit=max(bench.left(), 1.0),
            network=network and bench.request.network,
        )
    )
    work.runs.append(outcome)
    sources = {**work.examination.sources, **patched}
    after = replace(with_run(work.examination, outcome), arms=(), sources=sources)
    return after, judge(after, all_rules())
