"""The order of an answer: intake, probe run, rules, experiments, rules again, fix, verification,
and a language model where one is configured.

Each stage's price in seconds is in the report. What is said rests on what was measured: words and
source only suggest where to look.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from diagnoser.intake.target import find_target
from diagnoser.pipeline import model, stages
from diagnoser.pipeline.options import Bench, Options, Progress, silent
from diagnoser.pipeline.reading import read_words, request_of
from diagnoser.report.build import build_report
from diagnoser.report.work import Work
from diagnoser.rules.engine import judge
from diagnoser.rules.registry import all_rules
from diagnoser.schema import Question, Report

if TYPE_CHECKING:
    from diagnoser.runner.runner import Runner


def answer(
    question: Question,
    options: Options,
    *,
    progress: Progress = silent,
    runner: Runner | None = None,
) -> Report:
    """Answer one question; raises InputError for a target that cannot be used."""
    return build_report(examine(question, options, progress=progress, runner=runner))


def examine(
    question: Question,
    options: Options,
    *,
    progress: Progress = silent,
    runner: Runner | None = None,
) -> Work:
    """All that an answer rests on; raises InputError for a target that cannot be used."""
    began = time.monotonic()
    target = find_target(question, options.cwd)
    examination = read_words(question, target)
    work = Work(question, target.kind, target.folder, examination, judge(examination, all_rules()))
    if target.kind in ("script", "command") and options.run and "probe" in options.stages:
        with contextlib.ExitStack() as stack:
            used = runner or stack.enter_context(options.new_runner())
            request = request_of(question, target, options)
            _run(Bench(work, options, used, request, progress, began + options.budget))
    else:
        model.consult(work, options, progress)
    work.seconds["total"] = time.monotonic() - began
    return work


def _run(bench: Bench) -> None:
    stages.probe(bench)
    if "experiments" in bench.options.stages:
        stages.trace(bench)
        stages.experiment(bench)
    stages.fix(bench)
    model.consult(bench.work, bench.options, bench.progress, bench)
