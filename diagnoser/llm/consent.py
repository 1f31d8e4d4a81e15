"""Whether texts may leave this machine: to a host that was agreed to, or to the machine itself."""

from __future__ import annotations

from collections.abc import Callable

from diagnoser.errors import ModelError
from diagnoser.llm.endpoint import Endpoint
from diagnoser.llm.memory import Memory
from diagnoser.llm.shipment import Shipment
from diagnoser.settings import Settings

Ask = Callable[[str], bool]
"""Shows a text to a person and returns whether they agree."""


def agreed(endpoint: Endpoint, settings: Settings, memory: Memory) -> bool:
    """Whether nobody has to be asked any more."""
    return endpoint.loopback or settings.yes_send or memory.consented(endpoint.host)


def check_somebody_can_agree(
    endpoint: Endpoint, settings: Settings, memory: Memory, ask: Ask | None
) -> None:
    """Raise ModelError where it would have to be asked and there is nobody to ask."""
    if ask is None and not agreed(endpoint, settings, memory):
        raise ModelError(
            f"nobody agreed to send to {endpoint.host}: give --yes-send, or set yes_send = true"
        )


def check_agreed(shipment: Shipment, settings: Settings, memory: Memory, ask: Ask | None) -> None:
    """Show what would be sent, once for each host; raises ModelError unless it may be sent."""
    endpoint = shipment.endpoint
    check_somebody_can_agree(endpoint, settings, memory, ask)
    if agreed(endpoint, settings, memory) or ask is None:
        return
    if not ask(shipment.summary):
        raise ModelError(f"you did not agree to send to {endpoint.host}")
    memory.consent(endpoint.host)
