"""What would be sent, and how a person is shown it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from diagnoser.llm.endpoint import Endpoint
from diagnoser.llm.redaction import Redactor
from diagnoser.llm.rungs import RUNGS, Message
from diagnoser.report.literal import literal


@dataclass(frozen=True)
class Shipment:
    """The messages of a question, where they go, and what was held back from them."""

    endpoint: Endpoint
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    files: tuple[str, ...]
    redactions: Mapping[str, int]

    @property
    def body(self) -> dict[str, Any]:
        """The first request: for an answer of a form, or without one for a piece of talk."""
        if not self.schema:
            messages = [dict(message) for message in self.messages]
            return {"model": self.endpoint.model, "messages": messages, "stream": True}
        return RUNGS[0].body(self.endpoint.model, self.messages, self.schema)

    @property
    def size(self) -> int:
        """Bytes of text."""
        return sum(len(message["content"].encode()) for message in self.messages)

    @property
    def summary(self) -> str:
        """Host, files, bytes and redactions in a few lines."""
        open_way = "" if self.endpoint.encrypted or self.endpoint.loopback else ", not encrypted"
        held = ", ".join(f"{count} x {kind}" for kind, count in sorted(self.redactions.items()))
        model = literal(self.endpoint.model)
        return "\n".join(
            [
                f"to       {literal(self.endpoint.host)}{open_way} (model {model})",
                f"files    {', '.join(map(literal, self.files)) or 'none'}",
                f"bytes    {self.size}",
                f"redacted {held or 'nothing'}",
            ]
        )


def pack(
    endpoint: Endpoint,
    messages: Sequence[tuple[str, str]],
    schema: Mapping[str, Any],
    files: Sequence[str],
    redactor: Redactor,
) -> Shipment:
    """Messages as pairs of role and text; a last redaction goes over each as it leaves."""
    sent = tuple({"role": role, "content": redactor(_valid(text))} for role, text in messages)
    return Shipment(endpoint, sent, schema, tuple(files), dict(redactor.counts))


def _valid(text: str) -> str:
    """Text that can be encoded: a script may print half a character."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(shipment: Shipment, *, as_json: bool = False) -> str:
    """Exactly what the first request would hold."""
    body = shipment.body
    if as_json:
        return json.dumps(body, indent=2, ensure_ascii=False) + "\n"
    parts = [
        f"POST {literal(shipment.endpoint.base_url.rstrip('/'))}/chat/completions",
        shipment.summary,
    ]
    parts += [f"--- {m['role']}\n{literal(m['content'])}" for m in body["messages"]]
    rest = {key: value for key, value in body.items() if key != "messages"}
    parts.append(f"--- the rest of the request\n{json.dumps(rest, indent=2, ensure_ascii=False)}")
    return "\n".join(parts) + "\n"
