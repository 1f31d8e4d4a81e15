"""Measured facts outrank the model: only a re-run with its change lifts its cause."""

from __future__ import annotations

from typing import Any

import pytest

from diagnoser.report.consulted import Suggestion, with_suggestion
from diagnoser.report.next_command import next_command
from diagnoser.report.terminal import to_terminal
from diagnoser.schema import (
    Candidate,
    Diagnosis,
    Edit,
    Evidence,
    Fix,
    Grade,
    Location,
    Provenance,
    Question,
    Report,
    Status,
    Verified,
)

EDIT = Edit(file="train.py", line=3, cause="x", before="a = 1", after="a = 2")


def report(status: Status, *graded: tuple[str, Grade], fix: Fix | None = None) -> Report:
    candidates = tuple(
        Candidate(cause=cause, title=cause, category="c", level=2, grade=grade, confidence=0.9)
        for cause, grade in graded
    )
    diagnosis = None
    if status in ("diagnosed", "healthy"):
        diagnosis = Diagnosis(
            diagnosis="The rules' words.",
            fix=fix or Fix(summary="none"),
            verification="Look.",
            prevention="Care.",
        )
    return Report(
        status=status,
        question=Question(symptom="it stalls", target="train.py"),
        candidates=candidates,
        evidence=(Evidence(id="E1", collector="c", kind="k", summary="seen"),),
        diagnosis=diagnosis,
        provenance=Provenance(version="0", model="scripted", prompt="abc"),
    )


def suggestion(cause: str, verified: Verified, *edits: Edit) -> Suggestion:
    diagnosis = Diagnosis(
        diagnosis="The model's words.",
        evidence=("E1",),
        fix=Fix(summary="Change it", edits=edits, verified=verified),
        verification="Check.",
        prevention="Beware.",
        source="model",
    )
    place = Location(file="train.py", line=3, code="a = 1")
    return Suggestion(cause, f"title of {cause}", "c", 2, diagnosis, (place,))


def graded(found: Report) -> list[tuple[str, str]]:
    return [(row.cause, row.grade) for row in found.candidates]


@pytest.mark.parametrize("status", ["inconclusive", "healthy", "not-reproduced"])
@pytest.mark.parametrize("cause", ["other", "lr-too-high", "b"])
def test_a_verified_change_confirms_its_cause_whatever_was_said_before(
    status: Status, cause: str
) -> None:
    found = with_suggestion(
        report(status, ("b", "suspected"), ("c", "refuted")), suggestion(cause, "verified", EDIT)
    )
    assert found.status == "diagnosed"
    assert graded(found)[0] == (cause, "confirmed")
    assert graded(found)[-1] == ("c", "refuted")
    assert found.diagnosis is not None
    assert found.diagnosis.diagnosis == "The model's words."


def test_a_verified_change_for_an_observed_cause_keeps_the_measured_words() -> None:
    found = with_suggestion(
        report("diagnosed", ("b", "observed")), suggestion("b", "verified", EDIT)
    )
    assert graded(found) == [("b", "confirmed")]
    assert found.diagnosis is not None
    assert found.diagnosis.diagnosis == "The rules' words."
    assert found.diagnosis.fix.edits == (EDIT,)
    assert found.diagnosis.source == "model"


@pytest.mark.parametrize(
    ("status", "rules", "expected"),
    [
        ("inconclusive", [], [("m", "suspected")]),
        ("inconclusive", [("b", "suspected")], [("m", "suspected"), ("b", "suspected")]),
        ("healthy", [("b", "suspected")], [("m", "suspected"), ("b", "suspected")]),
        ("diagnosed", [("b", "observed")], [("b", "observed"), ("m", "suspected")]),
        ("diagnosed", [("m", "observed")], [("m", "observed")]),
        ("inconclusive", [("c", "refuted")], [("m", "suspected"), ("c", "refuted")]),
        ("diagnosed", [("b", "suspected"), ("m", "suspected")],
         [("m", "suspected"), ("b", "suspected")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("verified", ["not-run", "symptom-remains", "broke-script"])
def test_without_a_verified_change_the_status_stays_and_the_cause_is_suspected(
    status: Status, rules: Any, expected: Any, verified: Verified
) -> None:
    found = with_suggestion(report(status, *rules), suggestion("m", verified))
    assert found.status == status
    assert graded(found) == expected


def test_a_healthy_run_stays_healthy_in_its_words_too() -> None:
    found = with_suggestion(report("healthy"), suggestion("m", "not-run", EDIT))
    assert found.diagnosis is not None
    assert found.diagnosis.source == "rules"


def test_an_exact_change_of_the_rules_is_not_replaced() -> None:
    rules = report("diagnosed", ("b", "observed"), fix=Fix(summary="rule", edits=(EDIT,)))
    found = with_suggestion(rules, suggestion("b", "not-run", EDIT))
    assert found.diagnosis == rules.diagnosis


def test_where_the_rules_name_nothing_the_terminal_shows_what_the_model_suspects() -> None:
    found = with_suggestion(report("inconclusive"), suggestion("other", "not-run", EDIT))
    text = to_terminal(found)
    assert text.startswith("Inconclusive")
    assert "The model's words." in text
    assert "+a = 2" in text
    assert "no run has shown it" in text


def test_a_cause_without_a_name_has_no_documentation_to_go_to() -> None:
    found = with_suggestion(report("inconclusive"), suggestion("other", "verified", EDIT))
    assert next_command(found).startswith("diagnoser ask")
    assert "Diagnosed (confirmed" in to_terminal(found)
