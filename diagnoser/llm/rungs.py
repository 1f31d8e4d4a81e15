"""The ways of asking for the form of an answer, the strictest first.

Servers differ: some enforce a schema, some only a tool's parameters, some only "JSON", some
nothing. A 200 is no proof of the form, so what comes back is checked in any case.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Message = dict[str, str]
TOOL = "diagnosis"


@dataclass(frozen=True)
class Rung:
    """One way of asking: its name, and the request's fields beside model and messages."""

    name: str
    fields: Callable[[Mapping[str, Any]], dict[str, Any]]
    schema_in_prompt: bool = False

    def body(
        self, model: str, messages: Sequence[Message], schema: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The whole request."""
        sent = [dict(message) for message in messages]
        if self.schema_in_prompt:
            text = json.dumps(schema, indent=1)
            sent[0]["content"] += f"\nAnswer with one JSON object of this schema:\n\n{text}\n"
        return {"model": model, "messages": sent, **self.fields(schema)}


def _json_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    form = {"name": TOOL, "strict": True, "schema": dict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _tool(schema: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": TOOL, "description": "State it.", "parameters": dict(schema)}
    return {
        "tools": [{"type": "function", "function": function}],
        "tool_choice": {"type": "function", "function": {"name": TOOL}},
    }


def _json_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"response_format": {"type": "json_object"}}


def _nothing(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {}


RUNGS = (
    Rung("json_schema", _json_schema),
    Rung("tool", _tool),
    Rung("json_object", _json_object, schema_in_prompt=True),
    Rung("prompt", _nothing, schema_in_prompt=True),
)


def rungs_from(name: str | None) -> tuple[Rung, ...]:
    """The rungs from a remembered one downwards."""
    names = [rung.name for rung in RUNGS]
    return RUNGS[names.index(name) :] if name in names else RUNGS
