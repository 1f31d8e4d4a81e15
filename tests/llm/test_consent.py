"""Nothing is sent to a host that nobody agreed to; the state file is the user's alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnoser.errors import ModelError
from diagnoser.llm.consent import check_agreed
from diagnoser.llm.endpoint import Endpoint
from diagnoser.llm.memory import Memory
from diagnoser.llm.redaction import Redactor
from diagnoser.llm.shipment import Shipment, pack
from diagnoser.llm.transport import Transport
from diagnoser.settings import Settings
from tests.llm.conftest import KEY

FAR = Endpoint("https://models.example/v1", "big")
PLAIN = Endpoint("http://models.example/v1", "big")
NEAR = Endpoint("http://127.0.0.1:8080/v1", "small")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """An empty state file."""
    return Memory(tmp_path / "state" / "diagnoser" / "model.json")


def package(endpoint: Endpoint) -> Shipment:
    messages = [("system", "s"), ("user", f"text with {KEY} in it")]
    return pack(endpoint, messages, {}, ["train.py"], Redactor({}))


def test_a_person_sees_host_files_bytes_and_redactions_and_is_asked_once(memory: Memory) -> None:
    seen: list[str] = []

    def ask(text: str) -> bool:
        seen.append(text)
        return True

    check_agreed(package(FAR), Settings(), memory, ask)
    check_agreed(package(FAR), Settings(), memory, ask)
    (text,) = seen
    for part in ("models.example", "train.py", "bytes", "1 x token", "big"):
        assert part in text
    assert KEY not in text
    assert memory.path.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in memory.path.parent.iterdir()] == ["model.json"]


def test_a_way_that_can_be_read_is_said(memory: Memory) -> None:
    assert "not encrypted" in package(PLAIN).summary
    assert "not encrypted" not in package(FAR).summary
    assert "not encrypted" not in package(NEAR).summary


def test_a_no_is_not_remembered_and_nothing_is_sent(memory: Memory) -> None:
    for _ in range(2):
        with pytest.raises(ModelError, match=r"you did not agree to send to models\.example"):
            check_agreed(package(FAR), Settings(), memory, lambda _: False)
    assert not memory.path.exists()


def test_without_a_person_it_takes_the_option_or_the_setting(memory: Memory) -> None:
    with pytest.raises(ModelError, match="give --yes-send"):
        check_agreed(package(FAR), Settings(), memory, None)
    check_agreed(package(FAR), Settings(yes_send=True), memory, None)
    assert not memory.path.exists()


def test_this_machine_needs_no_consent(memory: Memory) -> None:
    check_agreed(package(NEAR), Settings(), memory, None)
    assert not memory.path.exists()


@pytest.mark.parametrize("text", ["", "nonsense", "[1]", '{"hosts": 3, "rungs": [1]}'])
def test_a_state_file_that_cannot_be_read_is_as_none(memory: Memory, text: str) -> None:
    memory.path.parent.mkdir(parents=True)
    memory.path.write_text(text)
    assert not memory.consented("models.example")
    assert memory.rung("http://127.0.0.1/v1", "m") is None
    memory.consent("models.example")
    memory.remember_rung("http://127.0.0.1/v1", "m", "tool")
    assert memory.consented("models.example")
    assert memory.rung("http://127.0.0.1/v1", "m") == "tool"


def test_a_state_file_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file" / "model.json")
    memory.consent("models.example")
    assert not memory.consented("models.example")


def test_the_key_is_in_no_representation() -> None:
    assert KEY not in repr(Transport(FAR, KEY))
