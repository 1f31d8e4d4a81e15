"""One real examination for all tests of the model, and settings that lead to a server of ours."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from diagnoser.pipeline import Options, examine
from diagnoser.pipeline.model import consult
from diagnoser.report.build import build_report
from diagnoser.report.json_report import to_json
from diagnoser.report.terminal import to_terminal
from diagnoser.report.work import Work
from diagnoser.runner.runner import Runner
from diagnoser.schema import Question, Report
from diagnoser.settings import Settings
from tests.model_server import ModelServer

KEY = "sk-test-0123456789abcdef0123456789"
"""Looks like a key; it must never be seen."""
SCRIPT = """\
import torch

torch.manual_seed(0)
x = torch.randn(64, 4)
y = x.sum(1, keepdim=True)
model = torch.nn.Linear(4, 1)
head = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(60):
    loss = torch.nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("final loss", loss.item())
"""
EDIT = {
    "file": "train.py",
    "line": 8,
    "before": "optimizer = torch.optim.SGD(head.parameters(), lr=0.1)",
    "after": "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)",
}


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """State and settings of the developer are neither read nor written; the key is a known one."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("DIAGNOSER_API_KEY", KEY)


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory, shared_runner: Runner) -> Work:
    """A run whose optimizer holds the parameters of another model; the rules offer no edit."""
    folder = tmp_path_factory.mktemp("golden")
    (folder / "train.py").write_text(SCRIPT, encoding="utf-8")
    question = Question(symptom="the loss never moves", target=str(folder / "train.py"))
    work = examine(question, Options(budget=30), runner=shared_runner)
    assert work.verdict.settled[0].rule.slug == "optimizer-wrong-parameters"
    assert work.fix is None
    return work


def answer(**changes: Any) -> dict[str, Any]:
    """A right answer about the golden run."""
    right = {
        "diagnosis": "The optimizer holds the parameters of head. The model never changes.",
        "cause": "optimizer-wrong-parameters",
        "evidence": ["E1"],
        "file": "train.py",
        "line": 8,
        "fix_summary": "Give the optimizer the parameters of the model that is trained",
        "edits": [EDIT],
        "verification": "Print a weight before and after a step.",
        "prevention": "Build the optimizer right after the model.",
    }
    return {**right, **changes}


WORDS = "the loss is nan from the second epoch on"
ABOUT_WORDS = answer(cause="lr-too-high", edits=[], file=None, line=None, evidence=["E1"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the script of the golden run."""
    path = tmp_path / "project"
    path.mkdir()
    (path / "train.py").write_text(SCRIPT, encoding="utf-8")
    return path


@pytest.fixture
def told() -> list[str]:
    """What progress was reported."""
    return []


@pytest.fixture
def report_of(golden: Work, told: list[str]) -> Callable[..., Report]:
    """The report about the golden run when a server answers; no report may show the key."""

    def make(server: ModelServer | None = None, **settings: Any) -> Report:
        work = copy.copy(golden)
        work.seconds = dict(golden.seconds)
        work.runs = list(golden.runs)
        if server is not None:
            settings = {"base_url": server.url, **settings}
        chosen = Settings(**{"model": "scripted", "llm": True, "model_timeout": 5.0, **settings})
        options = Options(settings=chosen, stages=("probe", "verify", "llm"))
        consult(work, options, told.append)
        report = build_report(work)
        for text in (to_json(report), to_terminal(report, verbose=True, why=True), *told):
            assert KEY not in text
            assert "Traceback" not in text
        return report

    return make
