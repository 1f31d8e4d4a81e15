"""Right answers are verified by the re-run, subtly wrong ones are not.

The answers in `answers/` are written by hand, for cases where the rules offer no exact edit.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from diagnoser.evaluate.cases import load_cases
from diagnoser.pipeline import Options, answer
from diagnoser.runner.runner import Runner
from diagnoser.schema import Question, Report
from diagnoser.settings import Settings
from tests.conftest import REPOSITORY
from tests.model_server import ModelServer, says

STORED = [
    json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "answers").glob("*.json"))
]
WRONG = [(stored, wrong) for stored in STORED for wrong in stored["wrong"]]
pytestmark = pytest.mark.slow


def ask(case: str, folder: Path, runner: Runner, *answers: dict[str, Any]) -> Report:
    """Ask about a copy of a case, with a server that gives these answers."""
    (label,) = load_cases([REPOSITORY / "eval_cases" / case])
    assert label.broken is not None
    shutil.copytree(label.broken, folder / "project")
    question = Question(symptom=label.symptom, target=str(folder / "project" / str(label.target)))
    before = {path: path.read_bytes() for path in (folder / "project").rglob("*.py")}
    with ModelServer(*[says(entry) for entry in answers]) as server:
        options = Options(
            budget=40,
            stages=("audit", "probe", "experiments", "verify", "llm"),
            settings=Settings(model="scripted", base_url=server.url),
        )
        report = answer(question, options, runner=runner)
        assert server.asked, "the model can add something here"
    assert {path: path.read_bytes() for path in before} == before
    return report


@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["case"])
def test_a_right_answer_is_verified_by_the_re_run(
    stored: dict[str, Any], tmp_path: Path, shared_runner: Runner
) -> None:
    report = ask(stored["case"], tmp_path, shared_runner, stored["answer"])
    assert report.status == "diagnosed"
    assert report.provenance.note is None
    assert report.candidates[0].cause == stored["answer"]["cause"]
    assert report.candidates[0].grade == "confirmed"
    assert report.diagnosis is not None
    assert report.diagnosis.source == "model"
    fix = report.diagnosis.fix
    assert fix.verified == "verified"
    assert fix.before != fix.after
    assert fix.diff.startswith("--- a/")
    assert report.runs[-1].role == "verify"
    assert report.seconds.llm < report.seconds.total


@pytest.mark.parametrize(
    ("stored", "wrong"), WRONG, ids=lambda part: part.get("case") or part.get("how", "")
)
def test_a_subtly_wrong_answer_is_caught(
    stored: dict[str, Any], wrong: dict[str, Any], tmp_path: Path, shared_runner: Runner
) -> None:
    reply = {**stored["answer"], "edits": wrong["edits"]}
    report = ask(stored["case"], tmp_path, shared_runner, reply)
    assert report.diagnosis is not None
    assert report.diagnosis.fix.verified != "verified"
    assert report.diagnosis.fix.edits == ()
    assert report.candidates[0].grade == "observed"
    assert report.provenance.note


def test_a_wrong_answer_can_be_mended_by_the_next(tmp_path: Path, shared_runner: Runner) -> None:
    stored = next(entry for entry in STORED if entry["case"] == "optim-004")
    wrong = {**stored["answer"], "edits": stored["wrong"][0]["edits"]}
    invented = {**stored["answer"], "evidence": ["E77"]}
    report = ask(stored["case"], tmp_path, shared_runner, wrong, invented, stored["answer"])
    assert report.diagnosis is not None
    assert report.diagnosis.fix.verified == "verified"
    assert report.provenance.tokens == 3 * 321
