"""Asks a model for an answer of one form: falls down the rungs, waits once, reads what comes.

Each failure is a `ModelError`; an answer that came and does not have the form is `Malformed`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from diagnoser.errors import ModelError
from diagnoser.llm.memory import Memory
from diagnoser.llm.rungs import Message, rungs_from
from diagnoser.llm.transport import Refused, Transport, Unreachable
from diagnoser.llm.wire import Malformed, WireAnswer, parse_answer

MAX_WAIT = 20.0
"""Seconds that a server may ask to wait; for more, the model is given up."""
DEFAULT_WAIT = 1.0
LOWER_RUNG = frozenset({400, 404, 415, 422, 500, 501})
"""Statuses with which servers refuse a form of answer that they do not know (500: seen on
llama-cpp-python's server)."""
WHY = {
    401: "the server refused the key (401)",
    403: "the server refused the key (403)",
    404: "the server has no such model or address (404)",
    408: "the server timed out (408)",
    413: "the prompt is too long for the server (413)",
    429: "the server is busy or the quota is used up (429)",
}


@dataclass
class Client:
    """Asks one endpoint; counts the tokens of all its answers."""

    transport: Transport
    memory: Memory
    progress: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    tokens: int | None = None
    _rung: str | None = field(default=None, repr=False)
    _retried: bool = field(default=False, repr=False)

    def ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[WireAnswer, str]:
        """One answer, and its text.

        Raises:
            ModelError: there is none.
            Malformed: there is one without the form.
        """
        endpoint = self.transport.endpoint
        rungs = rungs_from(self._rung or self.memory.rung(endpoint.base_url, endpoint.model))
        self._retried = False
        refused: Refused | None = None
        for rung in rungs:
            try:
                answer = self._send(rung.body(endpoint.model, messages, schema))
            except Refused as error:
                refused = refused or error
                if error.status not in LOWER_RUNG or _too_long(error):
                    break
                continue
            self._count(answer)
            text = text_of(answer)
            try:
                parsed = parse_answer(text)
            except Malformed:
                self._rung = rungs_from(rung.name)[:2][-1].name  # it may ignore this one
                raise
            self._rung = rung.name
            self.memory.remember_rung(endpoint.base_url, endpoint.model, rung.name)
            return parsed, text
        if refused is None:
            raise ModelError("it gave no answer")
        raise given_up(refused) from None

    def _send(self, body: dict[str, Any]) -> dict[str, Any]:
        """One request; a failure that may pass is tried once more, in all of `ask`."""
        try:
            return self.transport.send(body)
        except Refused as error:
            wait = DEFAULT_WAIT if error.wait is None else error.wait
            passing = error.status in (408, 409, 429) or error.status >= 500
            if self._retried or not passing or wait > MAX_WAIT:
                raise
            if error.status == 429:
                self.progress(f"the model's server asks to wait {wait:g} s")
        except Unreachable:
            if self._retried:
                raise
            wait = 0.0
        self._retried = True
        self.sleep(wait)
        return self.transport.send(body)

    def _count(self, answer: Mapping[str, Any]) -> None:
        usage = answer.get("usage")
        total = usage.get("total_tokens") if isinstance(usage, dict) else None
        if isinstance(total, int) and not isinstance(total, bool) and total >= 0:
            self.tokens = (self.tokens or 0) + total


def text_of(answer: Mapping[str, Any]) -> str:
    """The text of an answer, or the arguments of its tool call.

    Raises:
        ModelError: it was cut, filtered, refused, or is empty.
    """
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ModelError("its answer holds no message")
    reason = choice.get("finish_reason")
    if reason == "length":
        raise ModelError("its answer was cut at its length limit")
    if reason == "content_filter":
        raise ModelError("its answer was held back by a content filter")
    if isinstance(message.get("refusal"), str) and message["refusal"]:
        raise ModelError("it refused to answer")
    if reason is None:
        raise ModelError("its answer broke off")
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls and isinstance(calls[0], dict):
        called = calls[0].get("function")
        if isinstance(called, dict) and isinstance(called.get("arguments"), str):
            return str(called["arguments"])
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ModelError("its answer is empty")
    return content


def _too_long(error: Refused) -> bool:
    said = error.said.lower()
    return "context" in said and ("length" in said or "window" in said or "exceed" in said)


def given_up(error: Refused) -> ModelError:
    """What a status means, in words."""
    if _too_long(error):
        return ModelError(f"the prompt is too long for it: {error.said}")
    why = WHY.get(error.status)
    if error.status == 429 and error.wait is not None and error.wait > MAX_WAIT:
        return ModelError(f"the server asks to wait {error.wait:g} s (429)")
    if why is None:
        return error
    return ModelError(f"{why}: {error.said}" if error.said else why)
