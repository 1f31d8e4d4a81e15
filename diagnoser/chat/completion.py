"""Completion of commands, and of what each command takes: causes, evidence ids, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from diagnoser.chat.session import Session

CAUSES = ("/why", "/rules")
FILES = ("/target", "/log", "/save", "/show")
FORMATS = ("md", "json")


class ChatCompleter(Completer):
    """Completes by the state that the conversation is in."""

    def __init__(self, session: Callable[[], Session]) -> None:
        self._session = session
        self._paths = PathCompleter(expanduser=True)

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """What may stand at the cursor."""
        text = document.text_before_cursor
        name, blank, rest = text.partition(" ")
        if not blank:
            if text.startswith("/"):
                yield from _matching(text, _commands())
            return
        word = rest.rpartition(" ")[2]
        if name in FILES or (name == "/export" and " " in rest):
            inner = Document(word, len(word))
            yield from self._paths.get_completions(inner, complete_event)
            return
        yield from _matching(word, self._values(name))

    def _values(self, name: str) -> list[str]:
        session = self._session()
        answer = session.last
        if name in CAUSES or not name.startswith("/"):
            from diagnoser.rules.registry import all_rules

            return [rule.slug for rule in all_rules()]
        if name == "/evidence" and answer is not None:
            return [row.id for row in answer.report.evidence]
        if name == "/fix" and answer is not None:
            return [str(number + 1) for number in range(len(answer.report.candidates))]
        if name == "/experiment":
            from diagnoser.rules.registry import all_rules

            return sorted({rule.trial.intervention for rule in all_rules() if rule.trial})
        if name == "/help":
            return [command.lstrip("/") for command in _commands()]
        return {"/llm": ["on", "off"], "/export": list(FORMATS), "/apply": ["--force"]}.get(
            name, []
        )


def _commands() -> list[str]:
    from diagnoser.chat.commands import COMMANDS

    return list(COMMANDS)


def _matching(word: str, values: Iterable[str]) -> Iterator[Completion]:
    for value in values:
        if value.startswith(word) and (word or value):
            yield Completion(value, start_position=-len(word))
