"""The conversation on a terminal, with history, completion and pasting."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.output import Output

from diagnoser.chat.completion import ChatCompleter
from diagnoser.chat.desk import Desk
from diagnoser.chat.history import PrivateHistory, history_file
from diagnoser.chat.interrupts import calm, quiet
from diagnoser.chat.paste import LeavableParser, PasteShelf
from diagnoser.chat.session import Session
from diagnoser.chat.speaking import CANCELLED, own_failure, say, say_error

PROMPT = "diagnoser> "
WELCOME = "Say what your training run does, or /help. Ctrl-D leaves."
AT_PROMPT = "Ctrl-D or /quit leaves."


class Repl:
    """Reads lines and prints replies until the user leaves."""

    def __init__(
        self,
        desk: Desk,
        session: Session,
        *,
        history: Path | None = None,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.session = session
        self._desk = desk
        self._shelf = PasteShelf()
        source = input or create_input()
        parser: Any = getattr(source, "vt100_parser", None)
        if parser is not None:
            source.vt100_parser = LeavableParser(parser.feed_key_callback)  # type: ignore[attr-defined]
        self._prompt: PromptSession[str] = PromptSession(
            history=PrivateHistory(str(history or history_file())),
            completer=ChatCompleter(lambda: self.session),
            complete_while_typing=False,
            key_bindings=self._shelf.bindings(),
            input=source,
            output=output,
        )
        self._leaving = False

    def run(self) -> int:
        """Converse until the user leaves; the exit code."""
        say(WELCOME)
        if self.session.has_target:
            self._desk.warm_up_later()
        with calm():
            while not self._leaving:
                try:
                    self._turn()
                except KeyboardInterrupt:
                    say(CANCELLED)
                except EOFError:
                    break
        return 0

    def _turn(self) -> None:
        from diagnoser.errors import DiagnoserError

        try:
            line = self._shelf.take(self._prompt.prompt(PROMPT))
        except KeyboardInterrupt:
            self._shelf.take("")
            say(AT_PROMPT)
            return
        except EOFError:
            raise
        except Exception as error:
            say_error(own_failure(error), sys.stdout)
            return
        finally:
            quiet()
        if not line.strip():
            return
        from diagnoser.chat.commands import answer_line

        try:
            reply = answer_line(self._desk, self.session, line)
        except DiagnoserError as error:
            say_error(error, sys.stdout)
            return
        except Exception as error:
            say_error(own_failure(error), sys.stdout)
            return
        self.session = reply.session
        self._leaving = reply.leave
        say(reply.text)
