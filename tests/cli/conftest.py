"""The command line, called in this process or as a user would call it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from diagnoser.cli.main import run
from tests.conftest import REPOSITORY

BROKEN = """
    import torch
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = x.sum(1, keepdim=True)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(40):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print("final loss", loss.item())
"""
HEALTHY = BROKEN.replace("optimizer.step()", "optimizer.step()\n        optimizer.zero_grad()")


@dataclass(frozen=True)
class Said:
    """Exit code and what was written."""

    code: int
    out: str
    err: str

    @property
    def complaint(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()


@pytest.fixture
def diagnoser(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run one command line in this process."""

    def call(*words: str) -> Said:
        capsys.readouterr()
        code = run(words)
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return call


def run_as_user(*words: str, cwd: Path, **env: str) -> Said:
    """Run `python -m diagnoser` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "diagnoser", *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1", **env},
        timeout=240,
    )
    return Said(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def broken_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a script that never clears its gradients, as train.py."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "train.py").write_text(textwrap.dedent(BROKEN), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def broken_json(broken_folder: Path) -> Said:
    """The answer about that script as JSON."""
    return run_as_user("ask", "it climbs", "train.py", "--json", "--exit-code", cwd=broken_folder)
