"""The flat form of an answer as models fill it, and its schema by the rules of strict servers.

Strict servers refuse open objects, tuples and defaults: each field is required, an absent value is
null.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

OTHER, NONE = "other", "none"
"""A cause without a name among the rules; nothing is wrong."""
MAX_REASONS = 6


class Wire(BaseModel):
    """Base of what models send: immutable, complete, nothing besides."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class WireEdit(Wire):
    """Whole lines of one file, starting at `line`, and what stands there afterwards."""

    file: str
    line: int
    before: str
    after: str


class WireAnswer(Wire):
    """A diagnosis as a model states it, unchecked."""

    diagnosis: str
    cause: str
    evidence: list[str]
    file: str | None
    line: int | None
    fix_summary: str
    edits: list[WireEdit]
    verification: str
    prevention: str


class Malformed(ValueError):
    """What came back does not have the form; `reasons` are sentences, `text` is what came."""

    def __init__(self, reasons: Sequence[str], text: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)
        self.text = text


def answer_schema(causes: Sequence[str]) -> dict[str, Any]:
    """The JSON Schema of `WireAnswer`, strict, without references, the causes as a closed set."""
    raw = WireAnswer.model_json_schema()
    schema: dict[str, Any] = _strict(raw, raw.get("$defs", {}))
    schema["properties"]["cause"] = {"type": "string", "enum": [*causes, OTHER, NONE]}
    return schema


def _strict(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(entry, definitions) for entry in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {
        key: _strict(value, definitions)
        for key, value in node.items()
        if key in ("type", "items", "anyOf", "enum", "properties")
    }
    if "properties" in kept:
        properties = node["properties"]
        kept["properties"] = {key: _strict(properties[key], definitions) for key in properties}
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept


def parse_answer(text: str) -> WireAnswer:
    """Read an answer: the whole text, or the first balanced object in it.

    Raises:
        Malformed: there is no object, or it does not have the form.
    """
    raw = _object_in(text)
    if raw is None:
        raise Malformed(["there is no JSON object in the answer"], text)
    try:
        return WireAnswer.model_validate(raw)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise Malformed(
            [
                f"{'.'.join(str(part) for part in entry['loc'])}: {entry['msg']}"
                for entry in found[:MAX_REASONS]
            ],
            text,
        ) from None


def _encodable(found: dict[str, Any]) -> dict[str, Any]:
    """The same without half characters, which JSON can spell and no output can hold."""
    text = json.dumps(found, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    whole: dict[str, Any] = json.loads(text)
    return whole


def _object_in(text: str) -> dict[str, Any] | None:
    """The first object that can be read; control characters in strings are let through."""
    decoder = json.JSONDecoder(strict=False)
    at = text.find("{")
    tries = 0
    while at >= 0 and tries < 1000:
        try:
            found, _ = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            found = None
        if isinstance(found, dict):
            return _encodable(found)
        at = text.find("{", at + 1)
        tries += 1
    return None
