"""The warm server's own promises, spoken to over its socket."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import evidence_collectors

PACKAGE = Path(evidence_collectors.__file__).parent


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server that holds json only, so that it starts at once."""
    process = subprocess.Popen(
        [sys.executable, str(PACKAGE / "warm_server.py"), str(tmp_path / "s"), "json", "no_such"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(PACKAGE / "_site"), "DIAGNOSER_WARM": "1"},
    )
    yield process
    process.kill()
    process.communicate()


def ready(server: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert server.stdout is not None
    said: dict[str, Any] = json.loads(server.stdout.readline())
    return said


def request(folder: Path, source: str) -> tuple[socket.socket, dict[str, Any]]:
    """Ask for a run of `source`; the connection and the server's first answer."""
    script = folder / f"train{len(list(folder.iterdir()))}.py"
    script.write_text(source)
    for name in ("out", "err"):
        (folder / name).touch()
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(folder / "s"))
    message: dict[str, Any] = {
        "script": str(script),
        "args": [],
        "threads": None,
        "env": {"MARK": "1"},
        "stdin": None,
        "stdout": str(folder / "out"),
        "stderr": str(folder / "err"),
        "confinement": {
            "mode": "none",
            "scratch": "",
            "keep": "",
            "project": str(folder),
            "network": True,
            "cwd": str(folder),
            "files": {},
            "status": str(folder / "sandbox.json"),
        },
    }
    connection.sendall(json.dumps(message).encode() + b"\n")
    return connection, answer(connection)


def status(connection: socket.socket) -> dict[str, Any]:
    """Wait for the end of a run and have it reaped."""
    assert answer(connection) == {"ended": True}
    connection.sendall(b"reap\n")
    with connection:
        return answer(connection)


def answer(connection: socket.socket) -> dict[str, Any]:
    line = b""
    while not line.endswith(b"\n"):
        part = connection.recv(1)
        if not part:
            return {}
        line += part
    said: dict[str, Any] = json.loads(line)
    return said


def gone(pid: int) -> bool:
    try:
        psutil.Process(pid).wait(5)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


def test_a_module_that_cannot_be_loaded_is_named(server: subprocess.Popen[bytes]) -> None:
    assert list(ready(server)["failures"]) == ["no_such"]


def test_a_run_reports_its_pid_and_how_it_ended(
    server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    ready(server)
    connection, first = request(tmp_path, "import os\nprint(os.getpid(), dict(os.environ))\n1/0")
    last = status(connection)
    assert os.waitstatus_to_exitcode(last["status"]) == 1
    assert last["peak_rss"] > 1_000_000
    assert (tmp_path / "out").read_text() == f"{first['pid']} {{'MARK': '1'}}\n"
    trace = (tmp_path / "err").read_text()
    assert "ZeroDivisionError" in trace and "script_run" not in trace


def test_several_runs_at_the_same_time(server: subprocess.Popen[bytes], tmp_path: Path) -> None:
    ready(server)
    runs = [request(tmp_path, "import time\ntime.sleep(60)") for _ in range(3)]
    pids = [first["pid"] for _, first in runs]
    assert all(psutil.Process(pid).is_running() for pid in pids)
    assert psutil.Process(server.pid).num_threads() == 1
    for (connection, _), pid in zip(runs, pids, strict=True):
        os.kill(pid, 9)
        assert os.waitstatus_to_exitcode(status(connection)["status"]) == -9
        connection.close()


def test_a_closed_connection_ends_its_run(server: subprocess.Popen[bytes], tmp_path: Path) -> None:
    ready(server)
    connection, first = request(tmp_path, "import time\ntime.sleep(60)")
    connection.close()
    assert gone(first["pid"])
    assert server.poll() is None


def test_the_server_and_its_runs_end_with_the_host(
    server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    ready(server)
    connection, first = request(tmp_path, "import time\ntime.sleep(60)")
    assert server.stdin is not None
    server.stdin.close()
    with connection:
        assert server.wait(5) == 0
        assert gone(first["pid"])
    server.stdin = None


def test_an_ended_run_keeps_its_number_until_the_host_has_swept_up(
    server: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    ready(server)
    connection, first = request(tmp_path, "")
    assert answer(connection) == {"ended": True}
    assert psutil.Process(first["pid"]).status() == psutil.STATUS_ZOMBIE
    with connection:
        connection.sendall(b"reap\n")
        assert answer(connection)["status"] == 0
    assert gone(first["pid"])
