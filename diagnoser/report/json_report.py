"""The report as one JSON object."""

from __future__ import annotations

from diagnoser.schema import Report


def to_json(report: Report) -> str:
    """Strict JSON with the `schema` key; NaN and infinities are written as text."""
    return report.model_dump_json(by_alias=True, indent=2)
