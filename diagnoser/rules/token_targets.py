"""How far ahead of the model's input its targets are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from diagnoser.rules.examination import number

EQUAL = 0.99
"""Share of equal tokens from which targets count as the shifted input (unknown words differ)."""
CLEARLY_LESS = 0.9
"""The other reading must hold for fewer tokens, else the sequence itself repeats."""


def target_offset(data: Mapping[str, Any]) -> int | None:
    """0 if an output is compared with its own input, 1 with the next, None if it cannot be told.

    Where the targets are one shorter than the input, the outputs that the loss's gradient reaches
    say which ones they are compared with.
    """
    same, following = number(data.get("same")), number(data.get("next"))
    if same >= EQUAL and following < CLEARLY_LESS:
        offset = 0
    elif following >= EQUAL and same < CLEARLY_LESS:
        offset = 1
    else:
        return None
    if not data.get("shorter"):
        return offset
    first, last = bool(data.get("first_counted")), bool(data.get("last_counted"))
    if first == last:
        return None
    return offset if first else offset - 1
