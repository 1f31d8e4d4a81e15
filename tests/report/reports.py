"""Hand-made reports for the tests of what is printed and scored."""

from __future__ import annotations

import math

from diagnoser.schema import (
    Candidate,
    Diagnosis,
    Edit,
    Evidence,
    Finding,
    Fix,
    Location,
    NotEvaluated,
    Provenance,
    Question,
    Report,
    RunSummary,
    Seconds,
    SymptomReading,
)

BACKWARD = Location(file="train.py", line=31, code="loss.backward()")


def candidate(cause: str = "missing-zero-grad", **changes: object) -> Candidate:
    """A candidate that is observed with 97 %, with changes."""
    values: dict[str, object] = {
        "cause": cause,
        "title": f"Title of {cause}",
        "category": "divergence",
        "level": 2,
        "grade": "observed",
        "confidence": 0.97,
        "locations": (BACKWARD,),
    }
    return Candidate(**{**values, **changes})  # type: ignore[arg-type]


def report(status: str = "diagnosed", *candidates: Candidate, **changes: object) -> Report:
    """A report with these candidates and no more, with changes."""
    values: dict[str, object] = {
        "status": status,
        "question": Question(symptom="it swings", target="train.py"),
        "candidates": candidates,
        "provenance": Provenance(version="0"),
    }
    return Report(**{**values, **changes})  # type: ignore[arg-type]


def full_report(**changes: object) -> Report:
    """A diagnosed report in which every field is filled."""
    finding = Finding(outcome="fired", decibans=20, evidence=("E1",), note="carried in 9 of 10")
    fix = Fix(
        summary="Clear the gradients once for each update",
        edits=(
            Edit(
                file="train.py",
                line=32,
                cause="missing-zero-grad",
                before="    opt.step()",
                after="    opt.step()\n    opt.zero_grad()",
            ),
        ),
        verified="verified",
        before={"last loss": 2.31, "printed": "rmse 139.6"},
        after={"last loss": 0.0465, "printed": "rmse 20.4"},
    )
    values: dict[str, object] = {
        "symptoms": (
            SymptomReading(
                slug="loss-swings", category="divergence", present="yes", note="by 140 %"
            ),
            SymptomReading(slug="loss-nan", category="numerical", present="no", note="all finite"),
        ),
        "evidence": (
            Evidence(
                id="E1",
                collector="gradients",
                kind="gradients.bookkeeping",
                step=720,
                location=BACKWARD,
                summary="In 9 of 10 updates gradients were carried over",
                data={"worst": math.nan, "carried": 9},
            ),
        ),
        "diagnosis": Diagnosis(
            diagnosis="In 9 of 10 updates gradients were carried over.",
            evidence=("E1",),
            fix=fix,
            verification="Print the gradient norm before backward.",
            prevention="Keep the three calls together.",
        ),
        "not_evaluated": (NotEvaluated(cause="slow-loader", missing="no loader was seen"),),
        "runs": (
            RunSummary(
                role="probe", name="probe", exit=0, stopped="finished", steps=720, seconds=3.2
            ),
        ),
        "sandbox": "overlay",
        "seconds": Seconds(probe=3.2, total=3.4),
    }
    found = candidate(findings=(finding,), confidence=0.9901, grade="confirmed")
    other = candidate("lr-too-high", grade="suspected", confidence=0.2)
    return report("diagnosed", found, other, **{**values, **changes})
