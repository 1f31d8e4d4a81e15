"""What the command line says about the language model, merged with what is configured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from diagnoser.errors import InputError, ModelError
from diagnoser.llm.endpoint import configured, endpoint_of
from diagnoser.settings import load_settings

if TYPE_CHECKING:
    from diagnoser.cli.output import Progress
    from diagnoser.pipeline import Options
    from diagnoser.schema import Question
    from diagnoser.settings import Settings

HOW = "Set DIAGNOSER_API_KEY, or give --base-url and --model."


def settings_for(flags: Mapping[str, Any], beside: Path) -> Settings:
    """All settings of one command; `llm` among the flags asks for a model that must be there.

    Raises:
        InputError: a setting cannot be used, or a model is asked for and none is configured.
    """
    settings = load_settings(flags, beside)
    if flags.get("llm") and not configured(settings):
        raise InputError("--llm asks for a model, and none is configured", HOW)
    return settings


def beside(target: str | None, cwd: Path | None) -> Path:
    """Where to look for a project's settings: at the target, else where the command starts."""
    if target is None or target == "-":
        return cwd or Path.cwd()
    return Path(target)


def prompt_for(
    question: Question, options: Options, settings: Settings, progress: Progress, *, as_json: bool
) -> str:
    """Exactly what would be sent about a question; nothing is.

    Raises:
        InputError: there is no endpoint to send it to.
    """
    from diagnoser.llm.shipment import shown
    from diagnoser.pipeline import examine
    from diagnoser.pipeline.model import shipment_of

    work = examine(question, replace(options, settings=None), progress=progress)
    try:
        shipment = shipment_of(work, replace(options, settings=settings))
    except ModelError as error:
        raise InputError(f"the model cannot be used: {error}", HOW) from None
    return shown(shipment, as_json=as_json)


def asker(progress: Progress) -> Callable[[str], bool] | None:
    """How to ask a person whether something may be sent; None where nobody sits at a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(text: str) -> bool:
        progress.clear()
        sys.stderr.write(f"This would be sent to a language model:\n{text}\nSend it? [y/N] ")
        sys.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    return ask


def check_suite_may_send(settings: Settings) -> None:
    """Say before a suite is asked that its model cannot be.

    Raises:
        InputError: no model is configured, its address is none, or nobody agreed to send to it.
    """
    if not configured(settings):
        raise InputError("the stage llm needs a model, and none is configured", HOW)
    from diagnoser.llm.consent import check_somebody_can_agree
    from diagnoser.llm.memory import user_memory

    try:
        check_somebody_can_agree(endpoint_of(settings), settings, user_memory(), None)
    except ModelError as error:
        raise InputError(f"the model cannot be used: {error}", HOW) from None
