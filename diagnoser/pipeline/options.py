"""How a question is to be answered, and what the stages of one answer share."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from diagnoser.report.work import Work
from diagnoser.runner.request import RunRequest
from diagnoser.settings import Settings

if TYPE_CHECKING:
    from diagnoser.runner.runner import Runner

Progress = Callable[[str], None]
"""Told in a few words what begins now."""


def silent(_: str) -> None:
    """Progress that nobody reads."""


@dataclass(frozen=True)
class Options:
    """How to answer: budget in seconds, densely observed steps, stages, and how to run."""

    budget: float = 60.0
    steps: int = 200
    stages: tuple[str, ...] = ("audit", "probe", "experiments", "verify")
    run: bool = True
    thorough: bool = False
    python: str | None = None
    cwd: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    in_place: bool = False
    network: bool = True
    record: Path | None = None
    settings: Settings | None = None
    """How a language model is reached; None if there is none."""
    agree: Callable[[str], bool] | None = None
    """Asks a person whether a text may be sent; None where there is nobody to ask."""

    def new_runner(self) -> Runner:
        """A runner as these options want it; it is a context manager."""
        from diagnoser.runner.runner import Runner

        return Runner(
            python=self.python,
            sandbox=not self.in_place,
            network=self.network,
            keep=self.record,
        )


@dataclass(frozen=True)
class Bench:
    """What the stages of one answer work with; only `work` changes on the way."""

    work: Work
    options: Options
    runner: Runner
    request: RunRequest
    """The script as it is to be run; stages change its role, files and patches."""
    progress: Progress
    deadline: float
    """On the clock of `time.monotonic`."""

    def left(self) -> float:
        """Seconds of the budget that are left."""
        return self.deadline - time.monotonic()
