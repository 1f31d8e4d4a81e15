"""`diagnoser chat`: the same as `ask`, as a conversation."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from diagnoser.cli.ask import DEFAULT_BUDGET, DEFAULT_STEPS
from diagnoser.cli.output import Progress, wants_color
from diagnoser.cli.parsing import check_program, positive_count, positive_seconds, variables_in
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


def chat(
    ctx: typer.Context,
    target: Target = None,
    budget: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Wall time for each answer; 60 by default."),
    ] = None,
    steps: Steps = None,
    python: Python = None,
    cwd: Cwd = None,
    env: Env = None,
    seed: Seed = None,
    in_place: InPlace = False,
    no_network: NoNetwork = False,
    llm: Llm = None,
    model: Model = None,
    base_url: BaseUrl = None,
    yes_send: YesSend = False,
    quiet: Quiet = False,
    no_color: NoColor = False,
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
