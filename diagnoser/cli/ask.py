"""`diagnoser ask`: answer one question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diagnoser.cli.output import Progress, check_writable, wants_color, write_answer
from diagnoser.cli.parsing import (
    check_folder,
    check_program,
    positive_count,
    positive_seconds,
    stages_in,
    variables_in,
)
from diagnoser.cli.shared_options import (
    BaseUrl,
    Cwd,
    Env,
    InPlace,
    Llm,
    Model,
    NoColor,
    NoNetwork,
    Python,
    Quiet,
    Seed,
    Steps,
    Target,
    YesSend,
)
from diagnoser.errors import InputError

if TYPE_CHECKING:
    from diagnoser.schema import Report, Status

FORMATS = ("terminal", "json")
DIAGNOSED, NO_ANSWER = 1, 3
DEFAULT_BUDGET = 60.0
DEFAULT_STEPS = 200


def ask(
    ctx: typer.Context,
    symptom: Annotated[
        str, typer.Argument(help='What you see, in your words; "" means: find what is wrong.')
    ],
    target: Target = None,
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False,
    form: Annotated[
        str, typer.Option("--format", metavar="terminal|json", help="How the answer is written.")
    ] = "terminal",
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the answer there.")
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Wall time for everything; 60 by default."),
    ] = None,
    steps: Steps = None,
    stages: Annotated[
        str,
        typer.Option(metavar="LIST", help="Of audit,probe,experiments,verify,llm; all by default."),
    ] = "audit,probe,experiments,verify,llm",
    no_run: Annotated[bool, typer.Option("--no-run", help="Read only; run nothing.")] = False,
    thorough: Annotated[
        bool, typer.Option("--thorough", help="Go on after a cause is confirmed.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Show how each cause's confidence adds up.")
    ] = False,
    python: Python = None,
    cwd: Cwd = None,
    env: Env = None,
    seed: Seed = None,
    in_place: InPlace = False,
    record: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep what was recorded there.")
    ] = None,
    no_network: NoNetwork = False,
    llm: Llm = None,
    model: Model = None,
    base_url: BaseUrl = None,
    yes_send: YesSend = False,
    show_prompt: Annotated[
        bool, typer.Option("--show-prompt", help="Print what would be sent, and send nothing.")
    ] = False,
    exit_code: Annotated[
        bool,
        typer.Option("--exit-code", help="Exit 1 if a fault is diagnosed, 3 without an answer."),
    ] = False,
    quiet: Quiet = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Leave nothing out.")] = False,
    no_color: NoColor = False,
) -> int:
    """Answer one question about a training script that is not to be changed.

    diagnoser ask "the loss stays flat" train.py -- --lr 3

    diagnoser ask "it is slow" -- torchrun --nproc-per-node 2 train.py

    diagnoser ask "the loss is NaN"
    """
    if form not in FORMATS:
        raise InputError(f"there is no format {form!r}", f"The formats are {', '.join(FORMATS)}.")
    check_writable(output)
    for option, folder in (("--cwd", cwd), ("--record", record)):
        if folder is not None and folder.exists() and not folder.is_dir():
            raise InputError(f"{option} {folder} is no folder", f"Give {option} a folder.")
    check_folder(record, "--record")
    check_program(python, "--python")
    if cwd is not None and not cwd.exists():
        raise InputError(f"--cwd {cwd} does not exist", "Give --cwd a folder that exists.")
    chosen = stages_in(stages)
    if budget is not None:
        positive_seconds(budget, "--budget")
    if steps is not None:
        positive_count(steps, "--steps")
    variables = variables_in(env or ())

    from diagnoser.cli.model_options import asker, beside, prompt_for, settings_for
    from diagnoser.llm.endpoint import configured
    from diagnoser.pipeline import Options, answer
    from diagnoser.schema import Question

    settings = settings_for(
        {
            "budget": budget,
            "steps": steps,
            "llm": llm,
            "model": model,
            "base_url": base_url,
            "yes_send": yes_send or None,
        },
        beside(target, cwd),
    )
    trailing = ctx.obj.words or ()
    question = Question(
        symptom=symptom.encode("utf-8", "replace").decode("utf-8"),
        target=target,
        args=trailing if target is not None else (),
        command=trailing if target is None else (),
    )
    options = Options(
        budget=settings.budget or DEFAULT_BUDGET,
        steps=settings.steps or DEFAULT_STEPS,
        stages=(*chosen, "llm") if llm and "llm" not in chosen else chosen,
        run=not no_run,
        thorough=thorough,
        python=python,
        cwd=cwd,
        env=variables,
        seed=seed,
        in_place=in_place,
        network=not no_network,
        record=record,
        settings=settings if configured(settings) and not show_prompt else None,
    )
    with Progress(quiet=quiet) as progress:
        if show_prompt:
            text = prompt_for(question, options, settings, progress, as_json=json or form == "json")
        else:
            options = replace(options, agree=asker(progress))
            report = answer(question, options, progress=progress)
    if show_prompt:
        write_answer(text, output)
        return 0
    if json or form == "json":
        from diagnoser.report.json_report import to_json

        text = to_json(report)
    else:
        from diagnoser.report.terminal import to_terminal

        color = output is None and wants_color(no_color)
        text = to_terminal(report, color=color, verbose=verbose, why=why)
    write_answer(text, output)
    return _exit_code(report) if exit_code else 0


def _exit_code(report: Report) -> int:
    codes: dict[Status, int] = {
        "diagnosed": DIAGNOSED,
        "healthy": 0,
        "inconclusive": NO_ANSWER,
        "not-reproduced": NO_ANSWER,
        "not-run": NO_ANSWER,
    }
    return codes[report.status]
