"""The entry point: a lazy table of verbs, so that only the verb asked for is imported."""

from __future__ import annotations

import contextlib
import importlib
import io
import signal
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import typer
import typer.core
import typer.main

from diagnoser.cli.output import print_error
from diagnoser.errors import DiagnoserError

INTERRUPTED = 130
USAGE_ERROR = cast(type[Exception], typer.BadParameter.__mro__[2])
"""The base of all errors that the command-line parser raises; typer does not name it."""


@dataclass(frozen=True)
class Verb:
    """One verb: where its function lives and what `diagnoser --help` says of it."""

    module: str
    function: str
    help: str
    trailing: bool = False
    """Whether `--` and what stands behind it means something to the verb."""


VERBS = {
    "ask": Verb(
        "diagnoser.cli.ask", "ask", "Answer one question about a training script.", trailing=True
    ),
    "chat": Verb("diagnoser.cli.chat", "chat", "Ask in a conversation.", trailing=True),
    "rules": Verb("diagnoser.cli.rules", "rules", "Print what is known about causes."),
    "eval": Verb("diagnoser.cli.eval", "evaluate", "Run a suite of cases and score it."),
    "doctor": Verb("diagnoser.cli.doctor", "doctor", "Say what this machine offers."),
}


@dataclass(frozen=True)
class Trailing:
    """What stood behind `--` on the command line; None if there was no `--`."""

    words: tuple[str, ...] | None


class LazyGroup(typer.core.TyperGroup):
    """A group that imports a verb's module when that verb is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The verbs, in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and build one verb."""
        verb = VERBS.get(cmd_name)
        if verb is None:
            return None
        function = getattr(importlib.import_module(verb.module), verb.function)
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(cmd_name)(function)
        return typer.main.get_command(app)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, verb.help) for name, verb in VERBS.items()])


def _show_version(asked: bool) -> None:
    if asked:
        from diagnoser import __version__

        sys.stdout.write(f"diagnoser {__version__}\n")
        raise typer.Exit()


def group(
    version: bool = typer.Option(
        False,
        "--version",
        help="Print the version and exit.",
        callback=_show_version,
        is_eager=True,
    ),
) -> None:
    """Find out why a training script does not train, and prove it by a re-run."""


def build() -> Any:
    """The command line as one command object."""
    app = typer.Typer(
        cls=LazyGroup,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=False,
    )
    app.callback()(group)
    return typer.main.get_command(app)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; errors are two lines on standard error."""
    words = list(arguments)
    trailing: tuple[str, ...] | None = None
    if "--" in words:
        at = words.index("--")
        words, trailing = words[:at], tuple(words[at + 1 :])
        if words and words[0] in VERBS and not VERBS[words[0]].trailing:
            print_error(
                f"`diagnoser {words[0]}` takes nothing behind `--`",
                f"`diagnoser {words[0]} --help` lists what can be given.",
            )
            return 2
    try:
        code = build().main(
            args=words or ["--help"],
            prog_name="diagnoser",
            standalone_mode=False,
            obj=Trailing(trailing),
        )
    except USAGE_ERROR as error:
        message, advice = _usage(error, words)
        print_error(message, advice)
        return 2
    except DiagnoserError as error:
        print_error(str(error), error.advice)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        traceback.print_exc()
        print_error(
            f"diagnoser itself failed: {type(error).__name__}: {error}",
            "This is a fault of diagnoser, not of your script: report the lines above.",
        )
        return 2
    if code == INTERRUPTED:
        with contextlib.suppress(OSError):
            sys.stderr.write("interrupted\n")
    return code if isinstance(code, int) else 0


def _usage(error: Any, words: Sequence[str]) -> tuple[str, str]:
    """What is wrong with a command line, and what to do."""
    message = error.format_message()
    verb = words[0] if words and words[0] in VERBS else ""
    advice = f"`diagnoser {verb} --help` lists what can be given.".replace("  ", " ")
    if "extra argument" in message and verb == "ask":
        advice = (
            'Put the script\'s own arguments behind `--`: diagnoser ask "..." train.py -- --lr 3'
        )
    elif "No such option" in message and verb == "ask":
        advice = "An option of the script goes behind `--`; `diagnoser ask --help` lists our own."
    elif "Missing argument" in message and verb == "ask":
        advice = 'Say what you see: diagnoser ask "the loss stays flat" train.py ("" works too).'
    return message, advice


def main() -> None:
    """Run the process's own command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    code = run(sys.argv[1:])
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.exit(code)
