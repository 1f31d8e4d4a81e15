"""The conversation without a terminal's abilities: lines from a pipe, or a plain prompt."""

from __future__ import annotations

import sys

from diagnoser.chat.commands import answer_line
from diagnoser.chat.desk import Desk
from diagnoser.chat.interrupts import calm, stoppable
from diagnoser.chat.session import Session
from diagnoser.chat.speaking import CANCELLED, say, say_error
from diagnoser.errors import DiagnoserError, InputError

FAILED = 2
PROMPT = "diagnoser> "


def run_script(desk: Desk, session: Session) -> int:
    """Answer the lines of standard input, to the end or the first error; the exit code.

    An interrupt is left to the caller.
    """
    while True:
        try:
            line = _next_line()
            if line is None:
                return 0
            reply = answer_line(desk, session, line)
        except DiagnoserError as error:
            say_error(error, sys.stderr)
            return FAILED
        session = reply.session
        say(reply.text)
        if reply.leave:
            return 0


def _next_line() -> str | None:
    """The next line that is not blank, None at the end; raises InputError for what is no text."""
    try:
        for line in sys.stdin:
            if line.strip():
                return line.rstrip("\n")
    except UnicodeDecodeError as error:
        raise InputError("the input is no text", "Write the commands as UTF-8.") from error
    return None


def _typed() -> str | None:
    """The line that is typed at a prompt, None at the end; raises InputError for what is no text.

    `input` would show the prompt too, but an interrupt right after it is lost there until the next
    key.
    """
    with stoppable():
        sys.stdout.write(PROMPT)
        sys.stdout.flush()
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError as error:
            raise InputError("that is no text", "Type it as UTF-8.") from error
    return line.rstrip("\n") if line else None


def converse(desk: Desk, session: Session) -> int:
    """Answer what somebody types, where the terminal can do little; the exit code."""
    with calm():
        while True:
            try:
                line = _typed()
                if line is None:
                    return 0
                if not line.strip():
                    continue
                reply = answer_line(desk, session, line)
            except DiagnoserError as error:
                say_error(error, sys.stdout)
                continue
            except KeyboardInterrupt:
                say(CANCELLED)
                continue
            session = reply.session
            say(reply.text)
            if reply.leave:
                return 0
