"""Lines from a pipe: a script of commands that stops at its first error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Said
from tests.conftest import REPOSITORY

Pipe = Callable[..., Said]


def test_a_script_runs_to_its_end(pipe: Pipe) -> None:
    said = pipe("the loss is NaN", "what else", "", "thanks", "/rules lr-too-high", "/quit", "/why")
    assert said.code == 0
    assert "lr-too-high: The learning rate is too high" in said.out
    assert said.err == ""


def test_an_error_in_the_middle_stops_it_with_code_2(pipe: Pipe, tmp_path: Path) -> None:
    said = pipe("the loss is NaN", "/candidatse", "/save never.txt")
    assert said.code == 2
    assert "Candidates" not in said.out
    assert said.complaint == [
        "error: there is no command /candidatse",
        "Did you mean /candidates? /help lists all.",
    ]
    assert not (tmp_path / "never.txt").exists()


def test_each_error_is_two_lines(pipe: Pipe, tmp_path: Path) -> None:
    for line in (
        "/target missing.py",
        '/target "unfinished',
        "/run",
        "/why",
        "/fix",
        "/apply",
        "/undo",
        "/verify",
        "/evidence E1",
        "/experiment x",
        "/llm maybe",
        "/export pdf x",
        "/save",
        "/log",
        "/rules no-such-cause",
    ):
        said = pipe(line)
        assert (said.code, len(said.complaint), said.out) == (2, 2, ""), line


def test_a_text_as_target_is_an_input_error(pipe: Pipe, tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text("loss nan\n")
    said = pipe(words=("run.log",))
    assert said.code == 2
    assert "/log run.log" in said.complaint[1]


def test_a_log_is_read(pipe: Pipe, tmp_path: Path) -> None:
    (tmp_path / "run.log").write_text("RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\n")
    said = pipe("/log run.log", "why")
    assert said.code == 0
    assert "out-of-memory" in said.out


def test_files_are_never_overwritten(pipe: Pipe, tmp_path: Path) -> None:
    said = pipe("the loss is NaN", "/save talk.txt", "/export json a.json", "/export md a.md")
    assert said.code == 0
    assert "> the loss is NaN" in (tmp_path / "talk.txt").read_text()
    assert '"schema": "diagnoser/1"' in (tmp_path / "a.json").read_text()
    assert (tmp_path / "a.md").read_text().startswith("# Diagnosis")
    assert pipe("the loss is NaN", "/save talk.txt").code == 2


def test_binary_input_is_refused(pipe: Pipe) -> None:
    assert pipe("\x00\x01", "/quit").code == 0


def test_an_interrupt_ends_it_with_code_130(tmp_path: Path) -> None:
    asked = subprocess.Popen(
        [sys.executable, "-m", "diagnoser", "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert asked.stdin is not None and asked.stdout is not None
    asked.stdin.write("hello\n")
    asked.stdin.flush()
    assert asked.stdout.readline().startswith("Hello.")
    asked.send_signal(signal.SIGINT)
    _, err = asked.communicate(timeout=60)
    assert (asked.returncode, err) == (130, "interrupted\n")


def test_there_is_no_model_and_no_word_about_it(pipe: Pipe) -> None:
    said = pipe("the loss is NaN", "blurb", "/quit")
    assert "language model" not in said.out
    said = pipe("/model", "/llm on", "/prompt")
    assert said.code == 0
    assert said.out.count("No language model is configured") == 3
