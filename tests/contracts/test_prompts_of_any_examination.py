"""Any examination can be put before a model: the prompt renders, and nothing leaves its fence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given, settings

from diagnoser.llm.redaction import Redactor
from diagnoser.pipeline import Options
from diagnoser.pipeline.model import shipment_of
from diagnoser.report.work import Work
from diagnoser.rules.engine import judge
from diagnoser.rules.examination import Examination
from diagnoser.rules.registry import all_rules
from diagnoser.schema import Question
from diagnoser.settings import Settings
from tests.contracts.adversarial import examinations
from tests.contracts.test_reports_of_any_examination import some

Runs = dict[str, list[dict[str, Any]]]
OPTIONS = Options(settings=Settings(model="m", base_url="http://127.0.0.1:9/v1"))


def test_any_examination_becomes_a_prompt(real_runs: Runs, repository: Path) -> None:
    @settings(some, max_examples=30)
    @given(examinations(real_runs))
    def holds(examination: Examination) -> None:
        verdict = judge(examination, all_rules())
        work = Work(Question(symptom="it swings"), "script", repository, examination, verdict)
        _, user = shipment_of(work, OPTIONS).messages
        text = user["content"]
        text.encode()
        marks = [line for line in text.splitlines() if line.startswith("~~~")]
        assert all(line.startswith("~~~data") for line in marks[::2])
        assert all(line == "~~~" for line in marks[1::2])
        assert len(marks) % 2 == 0
        assert Redactor()(text) == text

    holds()
