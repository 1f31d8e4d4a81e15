"""Colours only on a terminal, and only where nobody has switched them off."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from diagnoser.cli.output import Progress, write_answer
from tests.conftest import REPOSITORY

WORDS = ("ask", "the loss is NaN")


def shown_on_a_terminal(*words: str, **env: str) -> str:
    """What `diagnoser` writes to standard output where that is a terminal."""
    ours, theirs = pty.openpty()
    settings = {"TERM": "xterm-256color", "PYTHONPATH": str(REPOSITORY), **env}
    try:
        subprocess.run(
            [sys.executable, "-m", "diagnoser", *words],
            stdout=theirs,
            stderr=subprocess.PIPE,
            env={**os.environ, **settings},
            check=True,
        )
        return os.read(ours, 1_000_000).decode()
    finally:
        os.close(theirs)
        os.close(ours)


def test_a_terminal_gets_colours() -> None:
    shown = shown_on_a_terminal(*WORDS)
    assert "\x1b[1;31mDiagnosed" in shown


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=str)
def test_the_environment_switches_them_off(env: dict[str, str]) -> None:
    shown = shown_on_a_terminal(*WORDS, **env)
    assert shown.startswith("Diagnosed")
    assert "\x1b" not in shown


def test_an_option_switches_them_off() -> None:
    shown = shown_on_a_terminal(*WORDS, "--no-color")
    assert shown.startswith("Diagnosed")
    assert "\x1b" not in shown


def test_an_empty_no_color_means_nothing() -> None:
    assert "\x1b[" in shown_on_a_terminal(*WORDS, NO_COLOR="")


def test_a_file_gets_none(tmp_path: Path) -> None:
    output = tmp_path / "answer.txt"
    command = [sys.executable, "-m", "diagnoser", *WORDS, "--output", str(output)]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, check=True)
    assert output.read_text().startswith("Diagnosed")
    assert "\x1b" not in output.read_text()


def test_the_answer_ends_with_one_line_end(capsys: pytest.CaptureFixture[str]) -> None:
    write_answer("healthy")
    write_answer("healthy\n")
    assert capsys.readouterr().out == "healthy\nhealthy\n"


def test_progress_off_a_terminal_is_one_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress() as progress:
        progress("probe run")
        progress("experiment\x1b[31m two")
    lines = stream.getvalue().splitlines()
    assert [line.split(" s  ")[1] for line in lines] == ["probe run", "experiment\\x1b[31m two"]


def test_quiet_progress_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(quiet=True) as progress:
        progress("probe run")
    assert stream.getvalue() == ""
