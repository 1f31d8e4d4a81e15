"""The history is private and holds no secrets."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from diagnoser.chat.history import PrivateHistory, history_file, is_secret

SECRETS = [
    "my key is sk-abcdefghijklmnop1234567890",
    "export OPENAI_API_KEY=abcd1234",
    "hf_abcdefghijklmnopqrst",
    "ghp_abcdefghijklmnopqrstuvwx",
    "AKIAIOSFODNN7EXAMPLE",
    "/target train.py --token=s3cr3tvalue",
    "password: hunter22",
    "git clone https://me:hunter22@host/repository",
    "Authorization: Bearer abcdefghijklmnop",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
]
HARMLESS = [
    "the loss is NaN",
    "/target train.py --lr 3e-4",
    "why not the learning rate",
    "risk-free skating on sk-learn",
    "the tokens are padded",
    "show train.py:31",
    "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b made it worse",
]


@pytest.mark.parametrize("line", SECRETS)
def test_a_line_with_a_secret_is_known(line: str) -> None:
    assert is_secret(line)


@pytest.mark.parametrize("line", HARMLESS)
def test_an_ordinary_line_is_none(line: str) -> None:
    assert not is_secret(line)


def test_only_the_owner_reads_it_and_secrets_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "state" / "history"
    history = PrivateHistory(str(path))
    for line in (*HARMLESS, *SECRETS, "a\npaste", "x" * 5000):
        history.append_string(line)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(PrivateHistory(str(path)).load_history_strings()) == sorted(HARMLESS)


def test_a_looser_file_is_tightened(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_text("")
    path.chmod(0o644)
    PrivateHistory(str(path)).append_string("why")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_without_a_place_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    history = PrivateHistory(str(tmp_path / "taken" / "history"))
    history.append_string("why")
    assert history.load_history_strings() == []


def test_it_lies_in_the_state_folder(state_folder: Path) -> None:
    assert history_file() == state_folder / "diagnoser" / "chat_history"
