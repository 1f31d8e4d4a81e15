"""Small real scripts, and one Runner of each kind for all tests."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diagnoser.runner.request import RunRequest
from diagnoser.runner.runner import Runner

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a script into a folder of its own and return its path."""

    def make(source: str, name: str = "train.py") -> Path:
        folder = tmp_path / "project"
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def warm() -> Iterator[Runner]:
    """A Runner whose warm server is shared by all tests."""
    with Runner() as runner:
        runner.prepare()
        yield runner


@pytest.fixture(scope="session")
def cold() -> Iterator[Runner]:
    """A Runner that starts every run in a fresh process."""
    with Runner(warm=False) as runner:
        yield runner


@pytest.fixture(params=["warm", "cold"])
def runner(request: pytest.FixtureRequest) -> Runner:
    """Both ways of starting."""
    chosen: Runner = request.getfixturevalue(request.param)
    return chosen


@pytest.fixture
def ask() -> Callable[..., RunRequest]:
    """A request with a short limit."""

    def make(script: Path, **changes: object) -> RunRequest:
        return RunRequest(**{"script": script, "time_limit": 30.0, **changes})  # type: ignore[arg-type]

    return make
