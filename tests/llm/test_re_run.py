"""A model's change runs in the same view as any run, and without network."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from diagnoser.pipeline import Options, answer
from diagnoser.runner.runner import Runner
from diagnoser.schema import Question, Report
from diagnoser.settings import Settings
from tests.llm.conftest import EDIT, SCRIPT
from tests.llm.conftest import answer as told
from tests.model_server import ModelServer, says

CALLS_OUT = """\
import socket, pathlib
try:
    socket.create_connection(("127.0.0.1", {port}), timeout=2).close()
    reached = True
except OSError:
    reached = False
pathlib.Path("written.txt").write_text("x")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The script of the golden run with a call to the outside, in a folder of its own."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def ask(folder: Path, runner: Runner, *edits: dict[str, object]) -> Report:
    with ModelServer(says(told(edits=list(edits)))) as server:
        options = Options(
            budget=30,
            stages=("probe", "verify", "llm"),
            settings=Settings(model="scripted", base_url=server.url),
        )
        question = Question(symptom="it never moves", target=str(folder / "train.py"))
        return answer(question, options, runner=runner)


def test_the_network_is_cut_off_and_nothing_is_written(
    project: Path, shared_runner: Runner
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        text = SCRIPT + CALLS_OUT.format(port=listener.getsockname()[1]) + "print(reached)\n"
        (project / "train.py").write_text(text, encoding="utf-8")
        report = ask(project, shared_runner, EDIT)
    if report.sandbox != "overlay":
        pytest.skip("the network can only be cut off in a view of its own")
    assert report.diagnosis is not None
    fix = report.diagnosis.fix
    assert fix.verified == "verified"
    assert fix.before["printed"] == "True"
    assert fix.after["printed"] == "False"
    assert [path.name for path in project.iterdir()] == ["train.py"]


def test_a_change_that_breaks_the_script_is_not_offered(
    project: Path, shared_runner: Runner
) -> None:
    (project / "train.py").write_text(SCRIPT, encoding="utf-8")
    breaks = {**EDIT, "after": "optimizer = torch.optim.SGD(modle.parameters(), lr=0.1)"}
    report = ask(project, shared_runner, breaks)
    assert report.status == "diagnosed"
    assert report.diagnosis is not None
    assert report.diagnosis.source == "rules"
    assert report.diagnosis.fix.edits == ()
    assert "did not help: the script ended with an error" in str(report.provenance.note)
    assert len(report.runs) == 2, "the probe run, and one change that was offered three times"


def test_a_healthy_script_is_not_accused_whatever_the_model_says(
    project: Path, shared_runner: Runner
) -> None:
    healthy = SCRIPT.replace("head.parameters()", "model.parameters()")
    (project / "train.py").write_text(healthy, encoding="utf-8")
    faster = {
        "file": "train.py",
        "line": 8,
        "before": "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)",
        "after": "optimizer = torch.optim.SGD(model.parameters(), lr=0.4)",
    }
    with ModelServer(says(told(cause="lr-too-low", edits=[faster]))) as server:
        options = Options(
            budget=30,
            stages=("probe", "verify", "llm"),
            settings=Settings(model="scripted", base_url=server.url, llm=True),
        )
        question = Question(symptom="it is bad", target=str(project / "train.py"))
        report = answer(question, options, runner=shared_runner)
    assert report.status == "healthy"
    assert report.candidates[0].grade == "suspected"
    assert report.diagnosis is not None
    assert report.diagnosis.diagnosis == "Nothing wrong found."
