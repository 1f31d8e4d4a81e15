"""Start runs by forking from a process that has torch imported already."""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from diagnoser.runner.environment import probes_folder
from diagnoser.runner.supervise import Ended, Watch, exit_code, kill_tree, wait

STARTUP_LIMIT = 120.0
"""Seconds that preloading may take before runs start cold instead."""

MAX_SOCKET_PATH = 100
"""Bytes of a Unix socket's path that every system accepts."""


class WarmStartUnavailable(RuntimeError):
    """The warm server is not there, or refused; the run can start cold."""


@dataclass(frozen=True)
class Ready:
    """What the warm server said when it was ready."""

    seconds: float
    failures: dict[str, str]
    modules: frozenset[str]


class WarmServer:
    """One server process, started by `start` and ended by `close`."""

    def __init__(self, python: str, env: dict[str, str], folder: Path) -> None:
        self._python = python
        self._env = env
        self._socket = folder / "warm.sock"
        self._log = folder / "warm.log"
        self._cwd = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ready: Ready | None = None
        self._failure: str | None = None
        self._began = 0.0

    def start(self, modules: Sequence[str]) -> None:
        """Start preloading; returns at once."""
        with self._lock:
            if self._process is not None or self._failure is not None:
                return
            if len(os.fsencode(self._socket)) > MAX_SOCKET_PATH:
                self._failure = "the temporary folder's path is too long for a socket"
                return
            self._began = time.monotonic()
            program = probes_folder() / "warm_server.py"
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(
                    [self._python, str(program), str(self._socket), *modules],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env={**self._env, "DIAGNOSER_WARM": "1"},
                    cwd=self._cwd,
                    start_new_session=True,
                )

    def ready(self, cancelled: Callable[[], bool]) -> Ready:
        """Wait until the modules are loaded.

        Raises:
            WarmStartUnavailable: the server could not be started.
        """
        with self._lock:
            if self._failure is not None:
                raise WarmStartUnavailable(self._failure)
            if self._ready is None:
                try:
                    self._ready = self._hear(cancelled)
                except WarmStartUnavailable as error:
                    self._failure = str(error)
                    raise
            return self._ready

    def _hear(self, cancelled: Callable[[], bool]) -> Ready:
        if self._process is None or self._process.stdout is None:
            raise WarmStartUnavailable("the warm server was not started")
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while not selector.select(0.2):
                if cancelled() or time.monotonic() - self._began > STARTUP_LIMIT:
                    raise WarmStartUnavailable("the warm server was not ready in time")
        line = self._process.stdout.readline()
        try:
            said = json.loads(line)
        except ValueError:
            raise WarmStartUnavailable(f"the warm server ended: {self._last_words()}") from None
        return Ready(said["ready"], said["failures"], frozenset(said["modules"]))

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "no message"

    def run(
        self,
        request: dict[str, Any],
        record_dir: Path,
        limit: float,
        cancelled: Callable[[], bool],
    ) -> Ended:
        """Fork a child for the request and stay with it to its end, or to the limit.

        Raises:
            WarmStartUnavailable: nothing was run.
        """
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            try:
                connection.connect(str(self._socket))
                connection.sendall(json.dumps(request).encode() + b"\n")
                answers = connection.makefile("r", encoding="utf-8")
                first = json.loads(answers.readline() or "{}")
            except (OSError, ValueError) as error:
                raise WarmStartUnavailable(f"no answer from the warm server: {error}") from error
            if "pid" not in first:
                raise WarmStartUnavailable(first.get("refused", "the warm server hung up"))
            watch = Watch(first["pid"], record_dir)
            in_time = False
            try:
                in_time = wait(watch, connection.fileno(), limit, cancelled)
            finally:
                leftover = watch.kill()
            last = _status(connection, answers)
        return Ended(
            exit=exit_code(last["status"]) if in_time and "status" in last else None,
            peak_rss=max(watch.peak_rss, last.get("peak_rss", 0)),
            leftover=leftover,
        )

    def close(self) -> None:
        """End the server and whatever still runs under it."""
        process = self._process
        if process is None:
            return
        kill_tree(process.pid)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        self._process = None


def _status(connection: socket.socket, answers: TextIO) -> dict[str, Any]:
    """Have the ended run reaped, and return what the kernel says of it; empty without a server."""
    try:
        if "ended" not in json.loads(answers.readline() or "{}"):
            return {}
        connection.sendall(b"reap\n")
        said: dict[str, Any] = json.loads(answers.readline() or "{}")
    except (OSError, ValueError):
        return {}
    return said
