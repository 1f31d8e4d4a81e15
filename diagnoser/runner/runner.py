"""The one entry point for running the user's program."""

from __future__ import annotations

import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from diagnoser.runner.cold import run_cold
from diagnoser.runner.environment import base_environment, cores
from diagnoser.runner.place import Place, make_message, make_place, problems, python_of
from diagnoser.runner.plain import reason_for_cold
from diagnoser.runner.records import read_records, read_text
from diagnoser.runner.request import RunOutcome, RunRequest, Sandbox, Stopped
from diagnoser.runner.supervise import Ended, read_status
from diagnoser.runner.warm import Ready, WarmServer, WarmStartUnavailable

PRELOADED = ("torch", "torch._dynamo", "numpy")
"""What nearly every script imports; the first optimizer imports torch._dynamo in any case."""


@dataclass(frozen=True)
class _Started:
    """How a run was started and how it ended."""

    ended: Ended
    start: str
    startup_seconds: float
    seconds: float


class Runner:
    """Runs programs under the probes, sandboxed; a context manager that leaves nothing behind.

    `python` is the interpreter of scripts, `workers` how many runs go side by side, `modules` what
    the warm server imports beside torch and numpy; `warm=False` starts every run in a fresh
    process. `threads` is the thread bound of requests that name none. Everything that runs write is
    removed at the end, unless `keep` names a folder for it.
    """

    def __init__(
        self,
        python: str | None = None,
        sandbox: bool = True,
        network: bool = True,
        workers: int = 2,
        warm: bool = True,
        modules: Sequence[str] = (),
        keep: Path | None = None,
        threads: int | None = None,
    ) -> None:
        self.python = python_of(python)
        self.network = network
        self.workers = max(1, workers)
        self._mode: Sandbox = "overlay" if sandbox else "none"
        self._warm = warm
        self._modules = (*PRELOADED, *modules)
        self._keep = keep
        self._threads = threads
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._count = 0
        self._no_overlay: str | None = None
        self._root: Path | None = None
        self._server: WarmServer | None = None

    def __enter__(self) -> Runner:
        self._root = Path(tempfile.mkdtemp(prefix="diagnoser-")).resolve()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the warm server and all runs, and remove the temporary folder."""
        self._cancelled.set()
        if self._server is not None:
            self._server.close()
            self._server = None
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)

    def prepare(self) -> None:
        """Start the warm server in the background; a run waits for it when it needs it."""
        if not self._warm:
            return
        with self._lock:
            if self._server is None:
                root = self._folder()
                env = base_environment({}, self.network, root)
                self._server = WarmServer(self.python, env, root)
            self._server.start(self._modules)

    @property
    def threads_side_by_side(self) -> int:
        """Threads of one run when `workers` of them share the cores."""
        return self._threads or max(1, cores() // self.workers)

    def run(self, request: RunRequest) -> RunOutcome:
        """Run one request to its end or its limit, and return what was seen."""
        self._cancelled.clear()
        return self._run(request)

    def run_many(self, requests: Sequence[RunRequest]) -> list[RunOutcome]:
        """Run requests side by side, `workers` at a time; outcomes come in the requests' order."""
        self._cancelled.clear()
        with ThreadPoolExecutor(self.workers, thread_name_prefix="diagnoser-run") as pool:
            pending = [pool.submit(self._run, request) for request in requests]
            try:
                return [future.result() for future in pending]
            except BaseException:
                self._cancelled.set()
                for future in pending:
                    future.cancel()
                raise

    def _run(self, request: RunRequest) -> RunOutcome:
        if request.threads is None and self._threads is not None:
            request = replace(request, threads=self._threads)
        if self._mode == "overlay" and self._no_overlay is None:
            outcome = self._attempt(request, "overlay")
            if outcome is not None:
                return outcome
        plain: Sandbox = "copy" if self._mode == "overlay" or request.files else "none"
        outcome = self._attempt(request, plain)
        if outcome is None:
            raise RuntimeError("a run without a copy-on-write view said that it lacks one")
        return outcome

    def _attempt(self, request: RunRequest, mode: Sandbox) -> RunOutcome | None:
        """One run in one mode; None if this machine has no copy-on-write view."""
        place = make_place(self._next_folder(request), request, mode)
        network = self.network and request.network
        message = make_message(request, place, mode, self.python, network)
        started = self._start(request, place, message)
        error = read_status(place.record_dir).get("error")
        if mode == "overlay" and error:
            self._no_overlay = str(error)
            return None
        return self._outcome(request, place, mode, started)

    def _start(self, request: RunRequest, place: Place, message: dict[str, Any]) -> _Started:
        """Start warm if that is the same for the script, else cold, and stay to the end."""
        began = time.monotonic()
        reason = self._reason(request)
        if reason is None:
            try:
                server, ready = self._warm_server()
                startup = time.monotonic() - began
                reason = (
                    reason_for_cold(request.script, request.env, ready.modules)
                    if (request.script is not None)
                    else "a command"
                )
                if reason is None:
                    began = time.monotonic()
                    ended = server.run(
                        message, place.record_dir, request.time_limit, self._cancelled.is_set
                    )
                    return _Started(ended, "warm", startup, time.monotonic() - began)
            except WarmStartUnavailable as error:
                reason = str(error)
        began_cold = time.monotonic()
        ended = run_cold(
            message, place.folder, place.record_dir, request.time_limit, self._cancelled.is_set
        )
        seconds = time.monotonic() - began_cold
        return _Started(ended, f"cold: {reason}", began_cold - began, seconds)

    def _reason(self, request: RunRequest) -> str | None:
        """Why a run cannot start warm, as far as that is known before the server is there."""
        if request.script is None:
            return "a command"
        if not self._warm:
            return "warm start is off"
        return reason_for_cold(request.script, request.env)

    def _warm_server(self) -> tuple[WarmServer, Ready]:
        self.prepare()
        server = self._server
        if server is None:
            raise WarmStartUnavailable("the Runner is closed")
        return server, server.ready(self._cancelled.is_set)

    def _outcome(
        self, request: RunRequest, place: Place, mode: Sandbox, started: _Started
    ) -> RunOutcome:
        records = read_records(place.record_dir, place.moved)
        failures = problems(records, mode, self.network and request.network)
        if mode == "copy" and self._no_overlay:
            failures.append(f"no copy-on-write view here: {self._no_overlay}")
        return RunOutcome(
            role=request.role,
            name=request.name,
            exit=None if _was_stopped(records) else started.ended.exit,
            stopped=_stopped(started.ended, records),
            seconds=started.seconds,
            records=records,
            stdout=read_text(place.stdout, place.moved),
            stderr=read_text(place.stderr, place.moved),
            sandbox=mode,
            start=started.start,
            startup_seconds=started.startup_seconds,
            peak_rss=started.ended.peak_rss,
            failures=tuple(failures),
            record_dir=self._kept(place),
        )

    def _kept(self, place: Place) -> Path | None:
        """Move the records to where they stay, if they are to stay, and free the rest."""
        kept = None
        if self._keep is not None:
            kept = self._keep / place.folder.name
            shutil.copytree(place.record_dir, kept, dirs_exist_ok=True)
        shutil.rmtree(place.folder, ignore_errors=True)
        return kept

    def _next_folder(self, request: RunRequest) -> Path:
        with self._lock:
            self._count += 1
            name = "".join(letter if letter.isalnum() else "-" for letter in request.name)
            folder = self._folder() / f"{self._count:03d}-{request.role}-{name[:40]}"
        folder.mkdir()
        return folder

    def _folder(self) -> Path:
        if self._root is None:
            raise RuntimeError("use the Runner in a with statement")
        return self._root


def _was_stopped(records: Sequence[dict[str, Any]]) -> bool:
    """Whether the probes ended the run, so that its exit code is not the script's own."""
    return any(record.get("kind") == "run.stopped" for record in records)


def _stopped(ended: Ended, records: Sequence[dict[str, Any]]) -> Stopped:
    """How the run ended; a stop that was asked for at a step is a finished run."""
    if ended.exit is None:
        return "killed"
    reasons = [
        record["data"].get("reason") for record in records if record.get("kind") == "run.stopped"
    ]
    if "budget" in reasons:
        return "budget"
    return "crashed" if ended.exit != 0 and not reasons else "finished"
