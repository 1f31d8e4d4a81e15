"""An interrupt ends everything that was started and leaves nothing half-written."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.conftest import REPOSITORY

WAITS = """
    import signal, subprocess, sys
    child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()", sys.argv[1]])
    signal.pause()
"""
START_SECONDS = 60


def carrying(mark: str) -> list[psutil.Process]:
    """Processes with a mark on their command line, diagnoser itself aside."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = process.info["cmdline"] or []
        ended = process.info["status"] == psutil.STATUS_ZOMBIE
        if not ended and mark in words and "diagnoser" not in words:
            found.append(process)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_code_130(
    number: signal.Signals, write_script: Callable[..., Path], tmp_path: Path
) -> None:
    mark = uuid.uuid4().hex
    script, output = write_script(WAITS), tmp_path / "answer.json"
    output.write_text("as before")
    words = ["ask", "", str(script), "--json", "--output", str(output), "--", mark]
    asked = subprocess.Popen(
        [sys.executable, "-m", "diagnoser", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    assert asked.stderr is not None
    assert "probe run" in asked.stderr.readline()
    deadline = time.monotonic() + START_SECONDS
    while not carrying(mark):
        assert time.monotonic() < deadline
        with contextlib.suppress(subprocess.TimeoutExpired):
            asked.wait(0.1)
            raise AssertionError("it ended before the script had started")
    asked.send_signal(number)
    out, err = asked.communicate(timeout=60)
    assert asked.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err
    assert output.read_text() == "as before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answer.json", "project"]
    assert carrying(mark) == []
