"""Forks a fresh-looking interpreter with torch already imported for each request of the host.

`python warm_server.py SOCKET MODULE...` imports the modules once, then listens on the Unix socket.
One connection is one run: a line of JSON in; out come `{"pid": ...}` at once and
`{"ended": true}` at the end; the host then kills what the run left behind and sends a line, for
which it gets `{"status": ..., "peak_rss": ...}`. Closing the connection kills that run, closing the
server's standard input ends the server and every run. It never runs a torch operation itself: a
parallel one would leave children hanging in their first one.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import pkgutil
import selectors
import signal
import socket
import sys
import time
import weakref
from dataclasses import dataclass
from typing import Any

from evidence_collectors import confine, script_run

sys.path[:1] = []  # this program's own folder


@dataclass(frozen=True)
class Run:
    """One child and the connection that asked for it."""

    pid: int
    connection: socket.socket


def threads() -> int:
    """How many threads this process has."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return 1


def preload(names: list[str]) -> dict[str, str]:
    """Import the modules, and return those that could not be, with the reason."""
    failures = {}
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as error:
            failures[name] = f"{type(error).__name__}: {error}"
    return failures


def preload_probes() -> dict[str, str]:
    """Import the probes' own modules, so that no child compiles them; they start nothing."""
    home = os.path.dirname(os.path.abspath(__file__))
    names = ["evidence_collectors.seam"]
    for package in ("collectors", "hooks", "interventions"):
        for entry in pkgutil.iter_modules([os.path.join(home, package)]):
            names.append(f"evidence_collectors.{package}.{entry.name}")
    return preload(names)


def third_party(names: set[str]) -> set[str]:
    """Top-level names among modules that neither Python itself nor the probes bring along."""
    tops = {name.partition(".")[0] for name in names}
    return tops - set(sys.stdlib_module_names) - {"evidence_collectors"}


def skip_finalizers() -> None:
    """Spare children the finalizers of the preloaded modules: torch's take 25 ms to unregister."""
    registry: dict[weakref.finalize[..., Any], Any] = getattr(weakref.finalize, "_registry", {})
    for finalizer in list(registry):
        finalizer.atexit = False


class Server:
    """Accepts requests, forks, and reports how each child ended; one thread."""

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(64)
        self._threads = threads()
        self._runs: dict[int, Run] = {}
        self._ended: set[int] = set()
        self._selector = selectors.DefaultSelector()
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        os.set_blocking(self._woken, False)

    def serve(self) -> None:
        """Answer until standard input closes."""
        signal.signal(signal.SIGCHLD, _noticed)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        self._selector.register(self._listener, selectors.EVENT_READ, "accept")
        self._selector.register(0, selectors.EVENT_READ, "quit")
        self._selector.register(self._woken, selectors.EVENT_READ, "child")
        while True:
            for key, _ in self._selector.select():
                if key.data == "quit":
                    if not os.read(0, 4096):
                        return
                elif key.data == "accept":
                    self._accept()
                elif key.data == "child":
                    self._noticed_end()
                else:
                    self._heard(key.data)

    def kill_all(self) -> None:
        """End every child that is still there."""
        for run in self._runs.values():
            _kill(run.pid)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        with connection.makefile("r", encoding="utf-8") as lines:
            line = lines.readline()
        if not line.strip():
            connection.close()
            return
        if threads() > self._threads:
            _send(connection, {"refused": "the warm server started a thread"})
            connection.close()
            return
        forked = time.time()
        pid = os.fork()
        if pid == 0:
            self._become(json.loads(line), connection)
        run = Run(pid, connection)
        self._runs[pid] = run
        self._selector.register(connection, selectors.EVENT_READ, run)
        _send(connection, {"pid": pid, "forked": forked})

    def _become(self, request: dict[str, Any], connection: socket.socket) -> None:
        """Turn this fresh fork into the user's script; never returns."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._selector.close()
            self._listener.close()
            connection.close()
            for run in self._runs.values():
                run.connection.close()
            os.close(self._woken)
            os.close(self._waker)
            script_run.run(request)
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "replace"))
        finally:
            os._exit(script_run.UNAVAILABLE)

    def _noticed_end(self) -> None:
        """Tell the host which runs ended; they stay zombies until it has swept up after them."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._woken, 4096)
        for run in list(self._runs.values()):
            if run.pid not in self._ended and _has_ended(os.P_PID, run.pid):
                self._ended.add(run.pid)
                _send(run.connection, {"ended": True})
        while (pid := _has_ended(os.P_ALL, 0)) and pid not in self._runs:
            os.waitpid(pid, 0)  # an orphan that this process adopted

    def _heard(self, run: Run) -> None:
        """The host closed the connection (which ends the run) or asks for the exit status."""
        asked = run.connection.recv(64)
        if not asked or run.pid not in self._ended:
            _kill(run.pid)
        self._selector.unregister(run.connection)
        del self._runs[run.pid]
        self._ended.discard(run.pid)
        _, status, usage = os.wait4(run.pid, 0)
        if asked:
            _send(
                run.connection,
                {
                    "status": status,
                    "peak_rss": usage.ru_maxrss * 1024,
                    "cpu_seconds": usage.ru_utime + usage.ru_stime,
                },
            )
        run.connection.close()


def _has_ended(kind: int, number: int) -> int:
    """The pid of an ended child, which is left as it is; 0 if there is none."""
    try:
        found = os.waitid(kind, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return 0
    return 0 if found is None else found.si_pid


def _noticed(number: int, frame: Any) -> None:
    """The wake-up descriptor carries the news; the handler itself has nothing to do."""


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _send(connection: socket.socket, message: dict[str, Any]) -> None:
    try:
        connection.sendall(json.dumps(message).encode() + b"\n")
    except OSError:
        return  # the host has gone; the run's records are on disk


def main(path: str, names: list[str]) -> int | None:
    """Preload, say so on standard output, serve until the host lets go."""
    began = time.perf_counter()
    confine.adopt_orphans()
    bare = set(sys.modules)
    failures = preload(names)
    script_run.PRELOADED.extend(sorted(third_party(set(sys.modules) - bare)))
    failures.update(preload_probes())
    skip_finalizers()
    gc.collect()
    gc.freeze()  # children then share these pages instead of copying them at their first collection
    server = Server(path)
    ready = {
        "ready": time.perf_counter() - began,
        "failures": failures,
        "modules": sorted({name.partition(".")[0] for name in sys.modules}),
    }
    os.write(1, json.dumps(ready).encode() + b"\n")
    try:
        server.serve()
    finally:
        server.kill_all()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
