"""Any verdict becomes a report that is consistent, strict JSON that reads back, and can be shown."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NoReturn

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diagnoser.report.build import build_report
from diagnoser.report.json_report import to_json
from diagnoser.report.json_schema import report_schema
from diagnoser.report.terminal import to_terminal
from diagnoser.report.work import Work
from diagnoser.rules.engine import judge
from diagnoser.rules.examination import Examination
from diagnoser.rules.registry import all_rules
from diagnoser.runner.request import RunOutcome
from diagnoser.schema import Question, Report
from tests.contracts.adversarial import examinations
from tests.report.reports import full_report

Runs = dict[str, list[dict[str, Any]]]
VALIDATOR = jsonschema.Draft202012Validator(report_schema())
some = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
)


def refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is not JSON")


def check_round_trip(report: Report) -> None:
    """What is written is strict JSON, keeps to the schema, and reads back to the same text."""
    text = to_json(report)
    VALIDATOR.validate(json.loads(text, parse_constant=refuse))
    assert to_json(Report.model_validate_json(text)) == text


def check_consistent(report: Report) -> None:
    """Cited evidence exists, a diagnosis has its parts, refuted causes come last."""
    cited = {i for c in report.candidates for f in c.findings for i in f.evidence}
    known = {entry.id for entry in report.evidence}
    assert cited <= known
    assert len(known) == len(report.evidence)
    grades = [candidate.grade for candidate in report.candidates]
    if "refuted" in grades:
        assert set(grades[grades.index("refuted") :]) == {"refuted"}
    if report.status == "diagnosed":
        assert report.diagnosis is not None
        assert report.diagnosis.diagnosis
        assert report.diagnosis.fix.summary
        assert report.diagnosis.prevention
        assert set(report.diagnosis.evidence) <= known


def report_on(examination: Examination, kind: str, folder: Path) -> Report:
    ended = RunOutcome(
        role="probe",
        name="probe",
        exit=examination.exit,
        stopped="finished",
        seconds=1.0,
        records=[],
        stdout="",
        stderr="",
        sandbox="overlay",
        start="warm",
    )
    verdict = judge(examination, all_rules())
    question = Question(symptom="it swings", target="train.py")
    runs = [ended] if kind in ("script", "command") else []
    return build_report(Work(question, kind, folder, examination, verdict, runs))


@pytest.mark.parametrize("kinds", [("script", "command"), ("words", "text")])
def test_any_verdict_becomes_a_report(
    real_runs: Runs, kinds: tuple[str, ...], repository: Path
) -> None:
    @some
    @given(examinations(real_runs), st.sampled_from(kinds))
    def holds(examination: Examination, kind: str) -> None:
        report = report_on(examination, kind, repository)
        check_consistent(report)
        check_round_trip(report)
        shown = to_terminal(report, verbose=True, why=True)
        assert shown.strip()
        assert "\x1b" not in shown

    holds()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, -0.0, 5e-324])
def test_numbers_that_json_lacks_are_written_as_text_and_read_back(value: float) -> None:
    report = full_report()
    evidence = report.evidence[0].model_copy(
        update={"data": {"worst": value, "rows": [value, {"deep": value}]}}
    )
    assert report.diagnosis is not None
    fix = report.diagnosis.fix.model_copy(update={"before": {"last loss": value}})
    diagnosis = report.diagnosis.model_copy(update={"fix": fix})
    changed = report.model_copy(update={"evidence": (evidence,), "diagnosis": diagnosis})
    check_round_trip(changed)
    if not math.isfinite(value):
        written = json.loads(to_json(changed))
        spelt = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
        assert written["evidence"][0]["data"]["worst"] == spelt
        assert written["diagnosis"]["fix"]["before"]["last loss"] == spelt


def test_the_schema_key_comes_first_and_the_report_cannot_be_changed() -> None:
    report = full_report()
    assert next(iter(json.loads(to_json(report)))) == "schema"
    with pytest.raises(ValueError, match="frozen"):
        report.status = "healthy"  # type: ignore[misc]
    with pytest.raises(ValueError, match="extra"):
        Report.model_validate({**json.loads(to_json(report)), "more": 1})
