"""`diagnoser eval`: run a suite of cases and score it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diagnoser.cli.output import Progress, check_writable, print_error, write_answer
from diagnoser.cli.parsing import positive_count, positive_seconds, stages_in
from diagnoser.cli.shared_options import BaseUrl, Model, Quiet, YesSend
from diagnoser.errors import InputError

if TYPE_CHECKING:
    from diagnoser.evaluate.judging import Answer
    from diagnoser.evaluate.scoring import Score

AT_LEAST = {
    "pairs": "pairs",
    "top1": "top1",
    "top1-plain": "top1_plain",
    "top3": "top3",
    "blind": "blind",
    "mrr": "reciprocal_rank",
    "right-line": "right_line",
    "recall": "faults_recall",
    "precision": "faults_precision",
    "verified": "fixes_verified",
}
AT_MOST = {
    "false-alarms": "false_alarms",
    "calibration-error": "calibration_error",
    "seconds-median": "seconds_median",
    "seconds-p95": "seconds_p95",
    "unscored": "unscored",
}
MISSED = 1


def evaluate(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DIR]...", help="Suites or single cases; our own by default."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as one JSON object.")] = False,
    only: Annotated[str, typer.Option(metavar="GLOB", help="Only cases whose name matches.")] = "*",
    workers: Annotated[
        int, typer.Option(metavar="N", help="Cases side by side; 2 by default.")
    ] = 2,
    budget: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="In place of the cases' own budgets.")
    ] = None,
    blind: Annotated[
        bool, typer.Option("--blind", help="Also ask each with an empty symptom.")
    ] = False,
    stages: Annotated[
        list[str] | None,
        typer.Option(metavar="LIST", help="Stages to use; repeat it to compare sets."),
    ] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    yes_send: YesSend = False,
    fail_under: Annotated[
        str,
        typer.Option(metavar="LIST", help="Exit 1 if missed, as in top1=0.9,false-alarms=0.02."),
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the figures there.")
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Run a suite of cases and score it.

    A suite is a folder of cases, each with broken/, fixed/ and case.toml. The headline figure is
    the pair: the broken one named, and its fixed twin, asked with the same sentence, cleared.
    """
    check_writable(output)
    thresholds = thresholds_in(fail_under)
    positive_count(workers, "--workers")
    if budget is not None:
        positive_seconds(budget, "--budget")
    sets = [stages_in(text) for text in stages or ["audit,probe,experiments,verify"]]
    settings = None
    if any("llm" in chosen for chosen in sets):
        from diagnoser.cli.model_options import check_suite_may_send, settings_for

        flags = {"model": model, "base_url": base_url, "yes_send": yes_send or None}
        settings = settings_for(flags, Path.cwd())
        check_suite_may_send(settings)

    from diagnoser.evaluate.cases import load_cases
    from diagnoser.evaluate.run import Plan, run_suite
    from diagnoser.evaluate.scoring import score
    from diagnoser.evaluate.table import to_json, to_text
    from diagnoser.resources import resource_folder

    loaded = load_cases(folders or [resource_folder("eval_cases")], only)
    skipped = [case for case in loaded if case.missing]
    cases = [case for case in loaded if not case.missing]
    if not cases:
        raise InputError(
            f"no case is left to ask: {len(loaded)} match {only!r}, {len(skipped)} are skipped",
            "Give another --only, or install what the cases need.",
        )
    scores: dict[str, Score] = {}
    answers: dict[str, Sequence[Answer]] = {}
    with Progress(quiet=quiet) as progress:
        for chosen in sets:
            name = ",".join(chosen)
            plan = Plan(chosen, workers, budget, blind, settings if "llm" in chosen else None)
            answers[name] = run_suite(cases, plan, progress)
            scores[name] = score(cases, answers[name])
    text = to_json(scores, answers, skipped) if json else to_text(scores, skipped)
    write_answer(text, output)
    missed = missed_in(scores[",".join(sets[-1])], thresholds)
    if missed:
        print_error(f"threshold missed: {'; '.join(missed)}", "The figures name each case.")
    return MISSED if missed else 0


def thresholds_in(text: str) -> dict[str, float]:
    """Read `top1=0.9,false-alarms=0.02`.

    Raises:
        InputError: a name is unknown or a value is no number.
    """
    found = {}
    for pair in (part.strip() for part in text.split(",")):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        if name not in AT_LEAST and name not in AT_MOST:
            raise InputError(
                f"--fail-under knows no figure {name!r}",
                f"The figures are {', '.join([*AT_LEAST, *AT_MOST])}.",
            )
        try:
            found[name] = float(value)
        except ValueError as error:
            raise InputError(
                f"--fail-under {pair!r} has no number", "Write it like top1=0.9."
            ) from error
    return found


def missed_in(score: Score, thresholds: Mapping[str, float]) -> list[str]:
    """The thresholds that do not hold; a figure that was not measured does not hold."""
    missed = []
    for name, limit in thresholds.items():
        raw = getattr(score, AT_LEAST.get(name) or AT_MOST[name])
        value = float(len(raw)) if isinstance(raw, tuple) else getattr(raw, "value", raw)
        if value is None:
            missed.append(f"{name} was not measured")
        elif name in AT_LEAST and value < limit:
            missed.append(f"{name} is {value:.3g}, at least {limit:g} was asked for")
        elif name in AT_MOST and value > limit:
            missed.append(f"{name} is {value:.3g}, at most {limit:g} was asked for")
    return missed
