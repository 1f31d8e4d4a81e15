"""What the terminal report says of the language model, if one was to be asked."""

from __future__ import annotations

from rich.text import Text

from diagnoser.report.layout import Section
from diagnoser.report.literal import one_line
from diagnoser.schema import Diagnosis, Report


def model_section(report: Report) -> Section:
    """Which model answered, and what came of it; empty where none was to be asked."""
    asked = report.provenance
    lines = []
    if asked.model is not None:
        used = f", {asked.tokens} tokens" if asked.tokens is not None else ""
        text = f"{one_line(asked.model)} (prompt {asked.prompt}{used})"
        if report.diagnosis is not None and report.diagnosis.source == "model":
            text += ": " + _part(report)
        lines.append(Text(text))
    if asked.note:
        lines.append(Text(one_line(asked.note)))
    return Section("Model", lines)


def _part(report: Report) -> str:
    """What of the answer is the model's."""
    fix = report.diagnosis.fix if report.diagnosis is not None else None
    if fix is not None and fix.verified == "verified":
        return "the change above is its own; the re-run with it was measured here"
    if report.candidates and report.candidates[0].grade in ("confirmed", "observed"):
        return "the change above is its own, and was not run"
    return "what is said above is its own, and no run has shown it"


def suggested(report: Report) -> Diagnosis | None:
    """A diagnosis that only the model makes, where the rules name no cause."""
    diagnosis = report.diagnosis
    if diagnosis is None or diagnosis.source != "model" or report.status == "diagnosed":
        return None
    return diagnosis
