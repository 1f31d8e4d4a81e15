"""What all tests share: a folder to write scripts into, and one Runner with a warm server."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diagnoser.runner.runner import Runner

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The developer's own settings change no test."""
    for name in list(os.environ):
        if name.startswith("DIAGNOSER_") or name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return REPOSITORY


@pytest.fixture
def write_script(tmp_path: Path) -> Callable[..., Path]:
    """Write a script into a folder of its own and return its path."""

    def make(source: str, name: str = "train.py") -> Path:
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def shared_runner() -> Iterator[Runner]:
    """One Runner for all tests of a process; its runs have one thread, as tests go side by side."""
    with Runner(threads=1) as runner:
        runner.prepare()
        yield runner


@pytest.fixture(scope="session")
def cold_runner() -> Iterator[Runner]:
    """A Runner that starts each run in a fresh process."""
    with Runner(warm=False, threads=1) as runner:
        yield runner
