"""Asks each case's questions in a neutral place, side by side on one warm Runner.

The tool under test sees a copy without labels in a folder whose name says nothing. A question that
raises, or takes far longer than its budget, is unscored and shown.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from diagnoser.errors import DiagnoserError
from diagnoser.evaluate.cases import Case
from diagnoser.evaluate.judging import Answer, Kind, said_right
from diagnoser.evaluate.measure import last_line, prints_like
from diagnoser.pipeline import Options, answer
from diagnoser.runner.environment import cores
from diagnoser.runner.request import RunRequest
from diagnoser.runner.runner import Runner
from diagnoser.schema import Question, Report
from diagnoser.settings import Settings

OVERRUN = 2.0
"""Times its budget after which a question counts as timed out; `GRACE` covers the warm-up."""
GRACE = 20.0


@dataclass(frozen=True)
class Plan:
    """How a suite is asked; `budget` replaces the cases' own."""

    stages: tuple[str, ...] = ("audit", "probe", "experiments", "verify")
    workers: int = 2
    budget: float | None = None
    blind: bool = False
    settings: Settings | None = None
    """How a language model is reached, for the stage llm."""


def run_suite(
    cases: Sequence[Case], plan: Plan, progress: Callable[[str], None]
) -> tuple[Answer, ...]:
    """All answers, in the order of the cases; one that is interrupted ends all runs."""
    questions = [(case, kind) for case in cases for kind in _kinds(case, plan)]
    found: dict[tuple[str, Kind], Answer] = {}
    with Runner(workers=plan.workers, threads=max(1, cores() // plan.workers)) as runner:
        if "probe" in plan.stages:
            runner.prepare()
        pool = ThreadPoolExecutor(plan.workers, thread_name_prefix="diagnoser-eval")
        try:
            pending = [pool.submit(_ask, case, kind, plan, runner) for case, kind in questions]
            for done, future in enumerate(as_completed(pending), 1):
                result = future.result()
                found[result.case.name, result.kind] = result
                progress(f"{done} of {len(questions)}  {result.case.name} {_outcome(result)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            runner.close()
            raise
        finally:
            pool.shutdown()
    return tuple(found[case.name, kind] for case, kind in questions)


def _kinds(case: Case, plan: Plan) -> Iterator[Kind]:
    if case.clean:
        yield "fixed"
        return
    yield "broken"
    if case.fixed is not None and case.mode != "text":
        yield "fixed"
    if plan.blind:
        yield "blind"


def _outcome(result: Answer) -> str:
    if result.report is None:
        return f"({result.kind}): unscored: {result.error}"
    return f"({result.kind}): {result.report.status}, {result.said}"


def _ask(case: Case, kind: Kind, plan: Plan, runner: Runner) -> Answer:
    """Ask one question about a copy of the case."""
    source = _folder(case, kind)
    with _copy(source) as root:
        began = time.monotonic()
        budget = plan.budget or case.budget
        try:
            report = answer(
                _question(case, kind, root), _options(case, plan, budget, root), runner=runner
            )
        except Exception as error:
            text = str(error) if isinstance(error, DiagnoserError) else repr(error)
            return Answer(case, kind, None, text, time.monotonic() - began, str(root))
        seconds = time.monotonic() - began
        if seconds > OVERRUN * budget + GRACE:
            late = f"timed out: {seconds:.0f} s on a budget of {budget:.0f} s"
            return Answer(case, kind, None, late, seconds, str(root))
        result = Answer(case, kind, report, "", seconds, str(root))
    if kind == "broken" and said_right(result) and _is_verified(report):
        like = _prints_like_fixed(case, report, runner, budget)
        return Answer(case, kind, report, "", seconds, str(root), like)
    return result


def _folder(case: Case, kind: Kind) -> Path | None:
    return (case.fixed or case.broken) if kind == "fixed" else case.broken


@contextmanager
def _copy(source: Path | None) -> Iterator[Path]:
    """A copy in a folder whose path gives nothing away; removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="asked-", ignore_cleanup_errors=True) as outer:
        root = Path(outer).resolve() / "project"
        if source is None:
            root.mkdir()
        else:
            shutil.copytree(source, root, ignore=shutil.ignore_patterns("__pycache__"))
        yield root


def _question(case: Case, kind: Kind, root: Path) -> Question:
    target = str(root / case.target) if case.target and case.mode != "command" else None
    return Question(
        symptom="" if kind == "blind" else case.symptom,
        target=target,
        args=case.args,
        command=case.command if case.mode == "command" else (),
    )


def _options(case: Case, plan: Plan, budget: float, root: Path) -> Options:
    cwd = root if case.mode == "command" else None
    return Options(budget=budget, stages=plan.stages, cwd=cwd, settings=plan.settings)


def _is_verified(report: Report) -> bool:
    return report.diagnosis is not None and report.diagnosis.fix.verified == "verified"


def _prints_like_fixed(case: Case, report: Report, runner: Runner, budget: float) -> bool | None:
    """Run fixed/ and compare its last line with that of the re-run with the fix."""
    if case.fixed is None or report.diagnosis is None:
        return None
    fix = report.diagnosis.fix
    with _copy(case.fixed) as root:
        script = root / case.target if case.target and case.mode == "script" else None
        if script is None and case.mode != "command":
            return None
        outcome = runner.run(
            RunRequest(
                name="fixed",
                script=script,
                args=case.args if script is not None else (),
                command=case.command if script is None else (),
                cwd=root if script is None else None,
                seam={"collectors": []},
                time_limit=budget,
            )
        )
    printed = str(fix.after.get("printed") or "")
    return prints_like(printed, last_line(outcome.stdout), str(fix.before.get("printed") or ""))
