"""The JSON Schema of what `ask --json` prints, generated from the stored types.

`python -m diagnoser.report.json_schema > docs/report.schema.json` brings the committed copy up to
date; a test holds the two together.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from diagnoser.schema import SCHEMA, Report

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NON_FINITE = {"enum": ["NaN", "Infinity", "-Infinity"]}


def report_schema() -> dict[str, Any]:
    """The schema: every field is always there, and a number may be NaN or an infinity as text."""
    generated = Report.model_json_schema(by_alias=True, mode="serialization")
    schema: dict[str, Any] = _as_written(generated)
    schema["properties"]["schema"] = {"const": SCHEMA}
    return {
        "$schema": DIALECT,
        "title": SCHEMA,
        **{k: v for k, v in schema.items() if k != "title"},
    }


def _as_written(node: Any) -> Any:
    """Fit generated schemas to what is written: all fields, and non-finite numbers as text."""
    if isinstance(node, list):
        return [_as_written(entry) for entry in node]
    if not isinstance(node, dict):
        return node
    if node.get("type") == "number":
        return {"anyOf": [{"type": "number"}, NON_FINITE]}
    fitted = {
        key: _as_written(value)
        for key, value in node.items()
        if key != "default" and not (key == "title" and isinstance(value, str))
    }
    if isinstance(node.get("properties"), dict):
        fitted["properties"] = {key: _as_written(e) for key, e in node["properties"].items()}
        fitted["required"] = list(node["properties"])
    return fitted


def schema_text() -> str:
    """The schema as the repository keeps it."""
    return json.dumps(report_schema(), indent=2) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
