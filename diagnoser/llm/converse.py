"""One turn of a conversation: what is known and what the user says go out, text comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from diagnoser.errors import ModelError
from diagnoser.llm.client import given_up
from diagnoser.llm.consent import Ask, check_agreed
from diagnoser.llm.endpoint import api_key, endpoint_of
from diagnoser.llm.material import gather
from diagnoser.llm.memory import user_memory
from diagnoser.llm.prompts import render
from diagnoser.llm.redaction import Redactor
from diagnoser.llm.shipment import Shipment, pack
from diagnoser.llm.transport import Refused, Transport
from diagnoser.report.build import rules_report
from diagnoser.report.work import Work
from diagnoser.settings import Settings


def turn(work: Work, said: str, earlier: Sequence[str], settings: Settings) -> Shipment:
    """What one turn would send; `earlier` holds what was said before, the oldest first.

    Raises:
        ModelError: the endpoint's address or the model's name cannot be used.
    """
    redactor = Redactor()
    report = rules_report(work, background=True)
    material = gather(work, report, settings.prompt_bytes, redactor)
    text = render("chat", material=material, said=said, earlier=list(earlier))
    messages = [("system", render("system")), ("user", text)]
    return pack(endpoint_of(settings), messages, {}, [f.name for f in material.files], redactor)


def converse(
    work: Work, said: str, earlier: Sequence[str], settings: Settings, agree: Ask | None
) -> Iterator[str]:
    """Pieces of the model's answer as they come; `agree` is None where there is nobody to ask.

    Raises:
        ModelError: it may not be asked, or the answer does not come or breaks off.
    """
    shipment = turn(work, said, earlier, settings)
    key = api_key(shipment.endpoint)
    check_agreed(shipment, settings, user_memory(), agree)
    ended: str | None = None
    try:
        for text, reason in Transport(shipment.endpoint, key).stream(shipment.body):
            ended = reason or ended
            if text:
                yield text
    except Refused as error:
        raise given_up(error) from None
    if ended is None:
        raise ModelError("its answer broke off")
    if ended != "stop":
        raise ModelError(f"its answer was cut ({ended})")
