"""A conversation about one small script, over one warm runner: few runs, many questions."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from diagnoser.chat.desk import Desk
from diagnoser.chat.model import Model
from diagnoser.errors import DiagnoserError
from diagnoser.pipeline import Options
from tests.chat.conftest import BROKEN, Talk, no_progress
from tests.chat.test_dialogue import TARGETED


@pytest.fixture(scope="module")
def warm_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One desk, so that torch is imported once."""
    backups = tmp_path_factory.mktemp("backups")
    with Desk(Options(), no_progress, Model(), backups=backups) as desk:
        desk.warm_up()
        yield desk


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script that never clears its gradients."""
    path = tmp_path / "train.py"
    path.write_text(textwrap.dedent(BROKEN), encoding="utf-8")
    return path


@pytest.fixture
def talk_of(warm_desk: Desk, script: Path) -> Talk:
    """A conversation about it, after the first answer."""
    talk = Talk(warm_desk, TARGETED.with_target(str(script), ()))
    said = talk("the loss climbs")
    assert "missing-zero-grad" in said
    assert "Next: /apply" in said
    return talk


def runs(talk: Talk) -> int:
    """Runs behind the last answer."""
    assert talk.session.last is not None
    return len(talk.session.last.work.runs)


def test_questions_about_the_answer_run_nothing(talk_of: Talk, monkeypatch: object) -> None:
    before = runs(talk_of)
    assert "missing-zero-grad (confirmed" in talk_of("why")
    assert "lr-too-high" in talk_of("why not the learning rate")
    assert "opt" in talk_of("how do I fix it")
    assert "optimizer.zero_grad()" in talk_of("/diff")
    assert "E1" in talk_of("/evidence")
    assert "gradients.bookkeeping" in talk_of("show me E1")
    assert ">   11" in talk_of("show me line 11")
    assert "backward" in talk_of("show train.py:11")
    assert "final loss" in talk_of("what did it print")
    assert "probe" in talk_of("how long did it take")
    assert "verified" in talk_of("what next")
    assert "missing-zero-grad" in talk_of("/candidates")
    assert "missing-zero-grad" not in talk_of("what else")
    assert runs(talk_of) == before


def test_more_symptoms_are_answered_from_the_run_that_is_there(talk_of: Talk) -> None:
    before = runs(talk_of)
    said = talk_of("and sometimes it is nan")
    assert "loss-nan: no, all" in said
    assert "still missing-zero-grad" in said
    assert runs(talk_of) == before
    last = talk_of.session.last
    assert last is not None
    assert "loss-nan" in last.work.examination.asked
    assert last.work.examination.records is talk_of.session.answers[0].work.examination.records


def test_apply_run_again_compare_and_undo(talk_of: Talk, script: Path) -> None:
    broken = script.read_bytes()
    said = talk_of("apply it")
    assert "Written: train.py" in said
    assert "/undo" in said
    assert b"zero_grad" in script.read_bytes()
    with pytest.raises(DiagnoserError, match="written already"):
        talk_of("/apply")
    said = talk_of("I changed it, try again")
    assert "Files      train.py (+1 -0 lines)" in said
    assert "  Symptoms" in said
    assert "missing-zero-grad before, none now" in said
    assert "Last loss" in said
    assert "byte for byte: train.py" in talk_of("undo")
    assert script.read_bytes() == broken
    with pytest.raises(DiagnoserError, match="none to take back"):
        talk_of("/undo")


def test_a_file_that_changed_since_is_neither_written_nor_tried(
    talk_of: Talk, script: Path
) -> None:
    edited = script.read_text() + "# mine\n"
    script.write_text(edited)
    with pytest.raises(DiagnoserError, match="changed since the run"):
        talk_of("/apply")
    with pytest.raises(DiagnoserError, match="changed since the run"):
        talk_of("/apply --force")
    with pytest.raises(DiagnoserError, match="changed since the run"):
        talk_of("/experiment zero-grads-before-backward")
    assert script.read_text() == edited
    said = talk_of("it is also slow")
    assert "Files      train.py (+1 -0 lines)" in said


def test_an_experiment_is_tried_once_more(talk_of: Talk) -> None:
    said = talk_of("/experiment zero-grads-before-backward")
    assert "Experiment zero_grads_before_backward: the symptom is gone" in said
    with pytest.raises(DiagnoserError) as refused:
        talk_of("/experiment zero-grad-before-backward")
    assert "zero_grads_before_backward" in refused.value.advice


def test_a_fix_is_verified_when_asked(talk_of: Talk) -> None:
    said = talk_of("/verify")
    assert "Yes: re-run with this change" in said
    assert "/apply" in said


def test_without_settings_no_model_is_asked(talk_of: Talk) -> None:
    talk_of("/llm on")
    assert "I read symptoms" in talk_of("colourless green ideas")


PROBABILITIES = """
    import torch
    torch.manual_seed(0)
    x = torch.randn(128, 4)
    y = (x[:, 0] > 0).long()
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for step in range(60):
        scores = torch.softmax(model(x), dim=1)
        loss = torch.nn.functional.cross_entropy(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
"""


def test_after_another_run_another_change_can_be_written(talk_of: Talk, script: Path) -> None:
    talk_of("/apply")
    script.write_text(textwrap.dedent(PROBABILITIES), encoding="utf-8")
    other = script.read_bytes()
    assert "softmax-before-cross-entropy now" in talk_of("try again")
    assert "Written" in talk_of("/apply --force")
    assert b"softmax" not in script.read_bytes()
    talk_of("/undo")
    assert script.read_bytes() == other
    with pytest.raises(DiagnoserError, match="edited after the change"):
        talk_of("/undo")
    assert script.read_bytes() == other
