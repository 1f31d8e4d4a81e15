"""The order of an answer: intake, probe run, rules, experiments, rules again, fix, verification.

Each stage's price in seconds is in the report. What is said rests on what was measured: words and
source only suggest where to look.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from diagnoser.fixes.proposal import Proposal, fixable, propose
from diagnoser.intake.sources import read_sources, sources_named
from diagnoser.intake.target import Target, find_target
from diagnoser.intake.traceback import exception_in, words_as_message
from diagnoser.report.build import build_report
from diagnoser.report.work import Work
from diagnoser.rules.engine import judge, without
from diagnoser.rules.examination import ArmOutcome, Examination, parse_records
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import symptoms_in
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.schema import Question, Report

if TYPE_CHECKING:
    from diagnoser.runner.runner import Runner

PROBE_SHARE = 0.5
"""Share of the budget that the probe run may take; experiments and verification share the rest."""
MIN_ARM_SECONDS = 2.0
TRACE_SHARE = 0.5
"""Share of what is left that each trace of a non-finite value may take."""


@dataclass(frozen=True)
class Options:
    """How to answer: budget in seconds, densely observed steps, stages, and how to run."""

    budget: float = 60.0
    steps: int = 200
    stages: tuple[str, ...] = ("audit", "probe", "experiments", "verify")
    run: bool = True
    thorough: bool = False
    python: str | None = None
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    in_place: bool = False
    network: bool = True
    record: Path | None = None


def _quiet(_: str) -> None:
    return None


def answer(
    question: Question,
    options: Options,
    *,
    progress: Callable[[str], None] = _quiet,
    runner: Runner | None = None,
) -> Report:
    """Answer one question; raises InputError for a target that cannot be used."""
    began = time.monotonic()
    target = find_target(question, options.cwd)
    examination = _read_words(question, target)
    work = Work(question, target.kind, target.folder, examination, judge(examination, all_rules()))
    runs_here = target.kind in ("script", "command") and options.run and "probe" in options.stages
    if runs_here and runner is None:
        with _runner(options) as own:
            _examine(work, target, options, own, progress, began)
    elif runs_here and runner is not None:
        _examine(work, target, options, runner, progress, began)
    work.seconds["total"] = time.monotonic() - began
    return build_report(work)


def _runner(options: Options) -> Runner:
    from diagnoser.runner.runner import Runner

    return Runner(
        python=options.python,
        sandbox=not options.in_place,
        network=options.network,
        keep=options.record,
    )


def _read_words(question: Question, target: Target) -> Examination:
    """Everything that is known before anything runs."""
    text = "\n".join(part for part in (question.symptom, target.text) if part)
    found = None
    if target.kind in ("words", "text"):
        found = exception_in(text) or words_as_message(text)
    sources: dict[str, str] = {}
    if target.kind == "script" and target.path is not None:
        sources = read_sources(target.path)
    return Examination(
        records=(found,) if found is not None else (),
        words=text,
        asked=symptoms_in(question.symptom if target.kind != "text" else text),
        sources=sources,
    )


def _examine(
    work: Work,
    target: Target,
    options: Options,
    runner: Runner,
    progress: Callable[[str], None],
    began: float,
) -> None:
    """Probe run, rules, experiments, rules again, fix and verification."""

    def left() -> float:
        return options.budget - (time.monotonic() - began)

    progress("probe run")
    request = _request(work.question, target, options)
    outcome = runner.run(replace(request, time_limit=max(left() * PROBE_SHARE, 1.0)))
    work.runs.append(outcome)
    work.seconds["startup"] = outcome.startup_seconds
    work.seconds["probe"] = outcome.seconds
    named = sources_named(outcome.records, work.folder)
    sources = {**named, **work.examination.sources}
    work.examination = replace(work.examination, sources=sources)
    work.examination = _with_run(work.examination, outcome)
    work.verdict = judge(work.examination, all_rules())
    if "experiments" in options.stages:
        _trace(work, runner, request, left, progress)
        mark = time.monotonic()
        arms = _experiment(work, options, runner, request, left, progress)
        if arms:
            work.examination = replace(work.examination, arms=tuple(arms))
            work.verdict = judge(work.examination, all_rules())
        work.seconds["experiments"] = time.monotonic() - mark
    proposal = propose(work.verdict, work.examination.sources, work.folder)
    if proposal is None:
        return
    work.fix, work.fixed = proposal.fix, proposal.entry.rule.slug
    if "verify" in options.stages:
        mark = time.monotonic()
        _verify(work, runner, request, left, progress, proposal)
        work.seconds["verify"] = time.monotonic() - mark


def _trace(
    work: Work,
    runner: Runner,
    request: RunRequest,
    left: Callable[[], float],
    progress: Callable[[str], None],
) -> None:
    """Where the loss is not finite, find the operation that made it so."""
    from diagnoser.experiments.trace import trace_nonfinite

    if work.examination.last("loss.nonfinite") is None:
        return
    mark = time.monotonic()
    progress("second run: the first non-finite value")
    records, runs = trace_nonfinite(runner, request, work.examination, lambda: left() * TRACE_SHARE)
    work.runs.extend(runs)
    if records:
        kept = (*work.examination.records, *records)
        work.examination = replace(work.examination, records=kept)
        work.verdict = judge(work.examination, all_rules())
    work.seconds["probe"] += time.monotonic() - mark


def _request(question: Question, target: Target, options: Options) -> RunRequest:
    seam: dict[str, object] = {"steps": options.steps}
    if options.seed is not None:
        seam["seed"] = options.seed
    return RunRequest(
        role="probe",
        name="probe",
        script=target.path if target.kind == "script" else None,
        args=tuple(question.args),
        command=tuple(question.command) if target.kind == "command" else (),
        cwd=options.cwd,
        env=dict(options.env),
        seam=seam,
    )


def _with_run(examination: Examination, outcome: RunOutcome) -> Examination:
    records = parse_records(outcome.records)
    environment: dict[str, object] = {}
    for record in records:
        if record.kind in ("run.start", "environment.versions"):
            environment.update(record.data)
    return replace(
        examination,
        records=records,
        exit=outcome.exit,
        stopped=outcome.stopped,
        ran=any(record.kind == "run.start" for record in records),
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        environment=environment,
    )


def _experiment(
    work: Work,
    options: Options,
    runner: Runner,
    request: RunRequest,
    left: Callable[[], float],
    progress: Callable[[str], None],
) -> list[ArmOutcome]:
    from diagnoser.experiments.plan import candidates_to_try
    from diagnoser.experiments.trials import Arms, try_all

    settled_by_fix = (
        fixable(work.verdict, work.examination.sources) if "verify" in options.stages else ()
    )
    candidates = candidates_to_try(work.verdict, settled_by_fix, thorough=options.thorough)
    if not candidates or work.examination.updates == 0:
        return []
    arm_seconds = max(MIN_ARM_SECONDS, 1.5 * work.seconds["probe"] + 1.0)
    arms = Arms(runner, request, work.examination, left, arm_seconds, progress)
    outcomes, runs = try_all(candidates, arms, thorough=options.thorough)
    work.runs.extend(runs)
    return outcomes


def _verify(
    work: Work,
    runner: Runner,
    request: RunRequest,
    left: Callable[[], float],
    progress: Callable[[str], None],
    proposal: Proposal,
) -> None:
    """Re-run the script with the proposed edits and judge what changed."""
    from diagnoser.fixes.verify import judge_fix

    if left() < work.seconds["probe"]:
        return
    slug = proposal.entry.rule.slug
    progress(f"re-run with the fix for {slug}")
    outcome = runner.run(
        replace(
            request,
            role="verify",
            name="fix",
            files=proposal.files(work.folder),
            time_limit=max(left(), 1.0),
        )
    )
    work.runs.append(outcome)
    sources = {**work.examination.sources, **proposal.patched}
    after = replace(_with_run(work.examination, outcome), arms=(), sources=sources)
    judged = judge_fix(slug, (work.examination, work.verdict), (after, judge(after, all_rules())))
    work.fix = proposal.fix.model_copy(
        update={"verified": judged.verified, "before": judged.before, "after": judged.after}
    )
    work.fix_note = judged.note
    if judged.worse:
        work.verdict = without(work.verdict, slug)
