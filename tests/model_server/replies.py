"""What the server answers: a completion, a tool call, a stream, or a fault."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

TOKENS = 321


@dataclass(frozen=True)
class Reply:
    """One answer: status, body, and how it goes wrong on the way."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut_after: int | None = None
    """Bytes after which the connection is closed, whatever the length that was announced."""
    hold: bool = False
    """Nothing is sent until the server ends."""
    trickle: bool = False
    """One byte at a time, without end."""


def completion(message: Mapping[str, Any], finish: str | None = "stop") -> bytes:
    """A whole answer of the form that such servers give."""
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "message": dict(message), "finish_reason": finish}],
            "usage": {"prompt_tokens": 300, "completion_tokens": 21, "total_tokens": TOKENS},
        }
    ).encode()


def says(answer: Mapping[str, Any] | str | None, finish: str | None = "stop") -> Reply:
    """An answer as text; an object is written as JSON."""
    text = json.dumps(answer) if isinstance(answer, Mapping) else answer
    return Reply(body=completion({"role": "assistant", "content": text}, finish))


def calls_tool(answer: Mapping[str, Any]) -> Reply:
    """An answer as the arguments of a tool call."""
    function = {"name": "diagnosis", "arguments": json.dumps(answer)}
    call = {"id": "call_1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return Reply(body=completion(message, "tool_calls"))


def refuses(status: int, message: str = "no", **headers: str) -> Reply:
    """An error of the form that such servers give."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": None}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, body, named)


def streams(parts: Sequence[str], finish: str | None = "stop") -> Reply:
    """Pieces of text as server-sent events; without `finish` the stream just ends."""
    events = [{"delta": {"content": part}, "finish_reason": None} for part in parts]
    if finish is not None:
        events.append({"delta": {}, "finish_reason": finish})
    chunks = [
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, **event}],
        }
        for event in events
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    if finish is not None:
        lines.append("data: [DONE]\n\n")
    return Reply(body="".join(lines).encode(), kind="text/event-stream")
