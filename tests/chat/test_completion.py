"""Tab completes commands, causes, evidence ids and files, by the state of the conversation."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from diagnoser.chat.commands import COMMANDS
from diagnoser.chat.completion import ChatCompleter
from tests.chat.conftest import Talk


def completed(talk: Talk, text: str) -> list[str]:
    """What may follow."""
    completer = ChatCompleter(lambda: talk.session)
    found = completer.get_completions(Document(text), CompleteEvent(completion_requested=True))
    return [text[: len(text) + entry.start_position] + entry.text for entry in found]


def test_commands(talk: Talk) -> None:
    assert completed(talk, "/") == list(COMMANDS)
    assert completed(talk, "/ex") == ["/experiment", "/export"]
    assert completed(talk, "the loss /") == []


def test_causes(talk: Talk) -> None:
    assert completed(talk, "/why lr-too-") == ["/why lr-too-high", "/why lr-too-low"]
    assert completed(talk, "why not lr-too-l") == ["why not lr-too-low"]


def test_evidence_and_candidates_of_the_answer(talk: Talk, tmp_path: Path) -> None:
    assert completed(talk, "/evidence ") == []
    (tmp_path / "run.log").write_text("RuntimeError: CUDA out of memory. Tried 2 GiB\n")
    talk(f"/log {tmp_path / 'run.log'}")
    assert completed(talk, "/evidence E1")[0] == "/evidence E1"
    assert completed(talk, "/fix ")[0] == "/fix 1"


@pytest.mark.parametrize("command", ["/target", "/log", "/save", "/export json"])
def test_files(talk: Talk, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "training_script.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert completed(talk, f"{command} train")[0].endswith("ing_script.py")


def test_values(talk: Talk) -> None:
    assert completed(talk, "/llm o") == ["/llm on", "/llm off"]
    assert completed(talk, "/export j") == ["/export json"]
    assert "/experiment scale_learning_rate" in completed(talk, "/experiment scale")
