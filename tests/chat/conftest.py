"""A conversation in this process, over one warm runner, and on a terminal or a pipe."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from diagnoser.chat.commands import answer_line
from diagnoser.chat.desk import Desk
from diagnoser.chat.model import Model
from diagnoser.chat.reply import Reply
from diagnoser.chat.session import Session
from diagnoser.pipeline import Options
from tests.chat.terminal import Terminal
from tests.cli.conftest import BROKEN, Said
from tests.conftest import REPOSITORY

__all__ = ["BROKEN"]


@contextlib.contextmanager
def no_progress() -> Iterator[Callable[[str], None]]:
    """Progress that nobody reads."""
    yield lambda _: None


@dataclass
class Talk:
    """A conversation whose replies and states are kept."""

    desk: Desk
    session: Session = field(default_factory=Session)

    def __call__(self, line: str) -> str:
        """Say one line; the reply."""
        reply: Reply = answer_line(self.desk, self.session, line)
        self.session = reply.session
        return reply.text


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's state folder of one test."""
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return folder


@pytest.fixture
def talk(state_folder: Path) -> Iterator[Talk]:
    """A conversation without a target."""
    with Desk(Options(), no_progress, Model()) as desk:
        yield Talk(desk)


@pytest.fixture
def case_folder(tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a case's broken script in a folder of its own."""

    def copy(name: str) -> Path:
        folder = tmp_path / name
        shutil.copytree(REPOSITORY / "eval_cases" / name / "broken", folder)
        return folder

    return copy


@pytest.fixture
def terminal(tmp_path: Path, state_folder: Path) -> Iterator[Callable[..., Terminal]]:
    """Start `diagnoser chat` on a terminal."""
    with contextlib.ExitStack() as stack:

        def start(*words: str, cwd: Path | None = None, term: str = "xterm") -> Terminal:
            started = Terminal(*words, cwd=cwd or tmp_path, state=state_folder, term=term)
            return stack.enter_context(started)

        yield start


@pytest.fixture
def pipe(tmp_path: Path) -> Callable[..., Said]:
    """Give `diagnoser chat` a script of lines through a pipe."""

    def run(*lines: str, words: tuple[str, ...] = (), cwd: Path | None = None) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "diagnoser", "chat", *words],
            input="".join(f"{line}\n" for line in lines),
            capture_output=True,
            text=True,
            cwd=cwd or tmp_path,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"},
            timeout=240,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return run
