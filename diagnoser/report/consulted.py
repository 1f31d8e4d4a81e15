"""What came of asking the language model, and how it enters the report.

Measured facts outrank it: a cause that it names is confirmed only by a re-run with its change; else
it is suspected, and the status stays what the rules said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diagnoser.schema import Candidate, Diagnosis, Finding, Location, Report, Verified

UNNAMED = "other"
"""The cause that has no name among the rules."""
NOTHING_WRONG = "none"
VERIFIED_CONFIDENCE = 0.99
"""A re-run without the symptom is decisive: 20 decibans, as for an experiment."""
NAMED_CONFIDENCE = 0.2
"""Nothing was measured for it: the prior of an unlinked cause and moderate evidence."""


@dataclass(frozen=True)
class Suggestion:
    """A checked answer of the model: a cause, the parts of a diagnosis, and where."""

    cause: str
    title: str
    category: str
    level: int
    diagnosis: Diagnosis
    """With edits as its re-run left them; files relative to the target's folder."""
    locations: tuple[Location, ...]

    @property
    def verified(self) -> Verified:
        """What the re-run with its change showed."""
        return self.diagnosis.fix.verified


@dataclass(frozen=True)
class Consulted:
    """Whether and how the model was asked; `suggestion` is None where the rules' answer stands."""

    note: str
    model: str | None = None
    prompt: str | None = None
    tokens: int | None = None
    suggestion: Suggestion | None = None


def with_suggestion(report: Report, suggestion: Suggestion) -> Report:
    """The report with the model's cause among the candidates, and its diagnosis where it may."""
    verified = suggestion.verified == "verified"
    diagnosis = suggestion.diagnosis
    candidates = _placed(report.candidates, suggestion, verified)
    if verified:
        return report.model_copy(
            update={
                "status": "diagnosed",
                "candidates": candidates,
                "diagnosis": _beside_rules(report, suggestion),
            }
        )
    settled = [c for c in report.candidates if c.grade in ("confirmed", "observed")]
    kept = report.diagnosis
    if settled and settled[0].cause == suggestion.cause:
        if kept is not None and not kept.fix.edits and diagnosis.fix.edits:
            kept = _beside_rules(report, suggestion)
    elif not settled and report.status in ("inconclusive", "not-run", "diagnosed"):
        kept = diagnosis
    return report.model_copy(update={"candidates": candidates, "diagnosis": kept})


def _beside_rules(report: Report, suggestion: Suggestion) -> Diagnosis:
    """The model's diagnosis; for a cause that the rules measured, their words and its change."""
    first = report.candidates[0] if report.candidates else None
    if (
        report.status != "diagnosed"
        or report.diagnosis is None
        or first is None
        or first.cause != suggestion.cause
        or first.grade not in ("confirmed", "observed")
    ):
        return suggestion.diagnosis
    return report.diagnosis.model_copy(update={"fix": suggestion.diagnosis.fix, "source": "model"})


def _placed(
    candidates: Sequence[Candidate], suggestion: Suggestion, verified: bool
) -> tuple[Candidate, ...]:
    """The candidates with the suggested cause: first if verified, else first of the suspected."""
    known = next((c for c in candidates if c.cause == suggestion.cause), None)
    others = [c for c in candidates if c is not known]
    if known is not None and known.grade in ("confirmed", "observed") and not verified:
        return tuple(candidates)
    named = _candidate(known, suggestion, verified)
    if verified:
        return (named, *others)
    settled = [c for c in others if c.grade in ("confirmed", "observed")]
    return (*settled, named, *(c for c in others if c not in settled))


def _candidate(known: Candidate | None, suggestion: Suggestion, verified: bool) -> Candidate:
    cited = suggestion.diagnosis.evidence
    note = (
        "the re-run with the model's change no longer shows the symptom"
        if verified
        else "the model names it; no run has shown it"
    )
    finding = Finding(outcome="fired", decibans=20 if verified else 0, evidence=cited, note=note)
    least = VERIFIED_CONFIDENCE if verified else NAMED_CONFIDENCE
    if known is not None:
        return known.model_copy(
            update={
                "grade": "confirmed" if verified else known.grade,
                "confidence": max(known.confidence, least) if verified else known.confidence,
                "findings": (*known.findings, finding),
                "locations": known.locations or suggestion.locations,
            }
        )
    return Candidate(
        cause=suggestion.cause,
        title=suggestion.title,
        category=suggestion.category,
        level=suggestion.level,
        grade="confirmed" if verified else "suspected",
        confidence=least,
        locations=suggestion.locations,
        findings=(finding,),
    )
