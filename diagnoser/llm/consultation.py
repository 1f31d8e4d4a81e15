"""Asks the model, checks what it says, sends it back with the reasons, and tries its change.

At most two answers are sent back; after that the rules' own diagnosis stands. Nothing is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from diagnoser.errors import ModelError
from diagnoser.llm.client import Client
from diagnoser.llm.grounding import Grounded, Known, ground
from diagnoser.llm.prompts import prompt_hash, render
from diagnoser.llm.rungs import Message
from diagnoser.llm.shipment import Shipment
from diagnoser.llm.wire import NONE, Malformed
from diagnoser.schema import Edit, Fix

MAX_REPAIRS = 2
MAX_ECHO = 8_000
"""Characters of an earlier answer that go back with the reasons."""


@dataclass(frozen=True)
class Tried:
    """What the re-run with a change showed."""

    fix: Fix
    note: str = ""


Try = Callable[[Grounded], Tried]


@dataclass(frozen=True)
class Consultation:
    """What came of it: the last answer that holds and its fix, or a note why there is none."""

    note: str
    model: str
    prompt: str
    tokens: int | None = None
    grounded: Grounded | None = None
    fix: Fix | None = None


def consult(
    shipment: Shipment, known: Known, client: Client, try_change: Try, redact: Callable[[str], str]
) -> Consultation:
    """Ask until an answer holds and its change is verified, or the repairs are used up.

    What is sent back quotes the user's files, so it goes through `redact` too.
    """
    result = Consultation("", shipment.endpoint.model, prompt_hash())
    messages = list(shipment.messages)
    reasons: Sequence[str] = ()
    known_changes: dict[tuple[Edit, ...], Tried] = {}
    for attempt in range(MAX_REPAIRS + 1):
        client.progress("asking the model" + (f", repair {attempt}" if attempt else ""))
        try:
            answer, text = client.ask(messages, shipment.schema)
        except Malformed as error:
            reasons, text = error.reasons, error.text
        except ModelError as error:
            return _ended(result, client, result.note or f"the model was not used: {error}")
        else:
            grounded, reasons = ground(answer, known)
            if grounded is not None:
                if answer.cause == NONE:
                    return _ended(result, client, "the model finds nothing wrong either")
                tried = known_changes.get(grounded.edits) or try_change(grounded)
                known_changes[grounded.edits] = tried
                result = _kept(result, grounded, tried)
                failed = tried.fix.verified in ("symptom-remains", "broke-script")
                if not failed:
                    return _ended(result, client, result.note)
                reasons = [f"the script was run again with your edits: {tried.note}"]
        messages = [*messages, *_sent_back(text, reasons, redact)]
    if result.grounded is not None:
        return _ended(result, client, result.note)
    note = f"the model's answer was refused {MAX_REPAIRS + 1} times, last because {reasons[0]}"
    return _ended(result, client, note)


def _kept(result: Consultation, grounded: Grounded, tried: Tried) -> Consultation:
    note = ""
    if tried.fix.verified in ("symptom-remains", "broke-script"):
        note = f"the model's change was run and did not help: {tried.note}"
    return replace(result, grounded=grounded, fix=tried.fix, note=note)


def _ended(result: Consultation, client: Client, note: str) -> Consultation:
    return replace(result, note=note, tokens=client.tokens)


def _sent_back(text: str, reasons: Sequence[str], redact: Callable[[str], str]) -> list[Message]:
    return [
        {"role": "assistant", "content": redact(text[:MAX_ECHO])},
        {"role": "user", "content": redact(render("repair", reasons=list(reasons)))},
    ]
