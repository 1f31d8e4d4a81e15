"""Where a language model is configured it answers what nothing else does, and can be forbidden."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diagnoser.chat.desk import Desk
from diagnoser.chat.model import Model
from diagnoser.pipeline import Options
from diagnoser.settings import Settings
from tests.chat.conftest import Talk, no_progress
from tests.model_server import ModelServer, Reply, refuses, streams
from tests.model_server.server import Asked

IDEA = "colourless green ideas"


@pytest.fixture
def talk_with(state_folder: Path) -> Iterator[Callable[[ModelServer], Talk]]:
    """A conversation with a model behind it, after an answer from words alone."""
    desks = []

    def start(server: ModelServer) -> Talk:
        settings = Settings(model="scripted", base_url=server.url, model_timeout=2)
        desks.append(Desk(Options(), no_progress, Model(settings)))
        talk = Talk(desks[-1])
        assert "lr-too-high" in talk("the loss is NaN")
        return talk

    yield start
    for desk in desks:
        desk.close()


def streaming(asked: Asked) -> Reply:
    """Converse only: no diagnosis is given."""
    if asked.body.get("stream"):
        return streams(["Look at ", "E1.\x1b[2J"])
    return refuses(401)


def test_it_is_asked_what_is_not_understood(talk_with: Callable[[ModelServer], Talk]) -> None:
    with ModelServer(*[streaming] * 8) as server:
        talk = talk_with(server)
        assert talk(IDEA) == "Look at E1.\\x1b[2J"
        assert IDEA in server.asked[-1].last
        assert "user: the loss is NaN" in server.asked[-1].last
        before = len(server.asked)
        talk("why")
        talk("/candidates")
        assert len(server.asked) == before


def test_llm_off_forbids_it(talk_with: Callable[[ModelServer], Talk]) -> None:
    with ModelServer(*[streaming] * 8) as server:
        talk = talk_with(server)
        assert "scripted" in talk("/model")
        assert "switched off" in talk("/llm off")
        before = len(server.asked)
        assert "I read symptoms" in talk(IDEA)
        talk("/ask the loss is flat")
        assert len(server.asked) == before
        talk("/llm on")
        assert "Look at" in talk(IDEA)


def test_the_prompt_is_shown_and_not_sent(talk_with: Callable[[ModelServer], Talk]) -> None:
    with ModelServer(*[streaming] * 8) as server:
        talk = talk_with(server)
        before = len(server.asked)
        assert "--- user" in talk("/prompt")
        assert len(server.asked) == before


def test_its_failure_is_a_note(talk_with: Callable[[ModelServer], Talk]) -> None:
    with ModelServer(*[refuses(401)] * 8) as server:
        said = talk_with(server)(IDEA)
    assert said.startswith("The model was not used: ")
    assert "I read symptoms" in said


def test_without_the_package_there_is_none(
    talk_with: Callable[[ModelServer], Talk], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(*[streaming] * 8) as server:
        talk = talk_with(server)
        for name in [name for name in sys.modules if name.startswith("diagnoser.llm")]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "diagnoser.llm", None)
        importlib.invalidate_caches()
        assert "I read symptoms" in talk(IDEA)
        assert "cannot be used" in talk("/model")
