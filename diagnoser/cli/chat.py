"""`diagnoser chat`: the same as `ask`, as a conversation."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from diagnoser.cli.ask import DEFAULT_BUDGET, DEFAULT_STEPS
from diagnoser.cli.output import Progress, wants_color
from diagnoser.cli.parsing import check_program, positive_count, positive_seconds, variables_in
from diagnoser.errors import InputError


def chat(
    ctx: typer.Context,
    target: Annotated[
        str | None,
        typer.Argument(
            help="A script. Its arguments follow `--`; without TARGET a command follows `--`."
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Wall time for each answer; 60 by default."),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(metavar="N", help="Steps that are watched closely; 200 by default."),
    ] = None,
    python: Annotated[
        str | None, typer.Option(metavar="PATH", help="The interpreter that runs the script.")
    ] = None,
    cwd: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder in which the script starts.")
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Set a variable for the script; repeatable."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Force this seed in each run.")
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Run without the copy-on-write view of your files.")
    ] = False,
    no_network: Annotated[
        bool, typer.Option("--no-network", help="Run the script without network.")
    ] = False,
    llm: Annotated[
        bool | None,
        typer.Option("--llm/--no-llm", help="Ask a language model always, or never."),
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The model to ask.")] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint.")
    ] = None,
    yes_send: Annotated[
        bool, typer.Option("--yes-send", help="Send to the model's host without asking.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> int:
    """Talk about a training script: symptoms, causes, the change, and what it did.

    diagnoser chat train.py -- --lr 3

    Lines from a pipe are answered one by one; the first error ends them with code 2.
    """
    check_program(python, "--python")
    if cwd is not None and not cwd.is_dir():
        raise InputError(f"--cwd {cwd} is no folder", "Give --cwd a folder that exists.")
    if budget is not None:
        positive_seconds(budget, "--budget")
    if steps is not None:
        positive_count(steps, "--steps")
    variables = variables_in(env or ())

    from diagnoser.chat.desk import Desk
    from diagnoser.chat.model import Model
    from diagnoser.chat.session import Session
    from diagnoser.cli.model_options import asker, beside, settings_for
    from diagnoser.intake.target import find_target
    from diagnoser.llm.endpoint import configured
    from diagnoser.pipeline import Options
    from diagnoser.schema import Question

    trailing = ctx.obj.words or ()
    flags = {
        "llm": llm,
        "model": model,
        "base_url": base_url,
        "yes_send": yes_send or None,
        "budget": budget,
        "steps": steps,
    }
    settings = settings_for(flags, beside(target, cwd))
    options = Options(
        budget=settings.budget or DEFAULT_BUDGET,
        steps=settings.steps or DEFAULT_STEPS,
        python=python,
        cwd=cwd,
        env=variables,
        seed=seed,
        in_place=in_place,
        network=not no_network,
    )
    if target == "-":
        raise InputError("`-` is no target of a conversation", "Name the script that trains.")
    session = Session().with_target(target, tuple(trailing))
    if find_target(Question(target=target, command=session.command), cwd).kind == "text":
        raise InputError(
            f"{target} is a text, not a script", f"`diagnoser chat`, then /log {target}, reads it."
        )
    known = Model(settings if configured(settings) else None)
    with Desk(
        options,
        lambda: Progress(quiet=quiet),
        known,
        asker=asker,
        color=wants_color(no_color),
    ) as desk:
        if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            from diagnoser.chat.repl import Repl

            return Repl(desk, session).run()
        from diagnoser.chat.plain import converse, run_script

        return (converse if sys.stdin.isatty() else run_script)(desk, session)
