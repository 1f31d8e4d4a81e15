"""Watch one run: its time limit, its memory, and the end of everything it started."""

from __future__ import annotations

import contextlib
import json
import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

GRACE_SECONDS = 3.0
GRACE_SHARE = 0.1
"""The probes stop a run at its limit; the host kills it this long after (3 s + 10 %)."""

KILL_SECONDS = 5.0
"""How long the host goes on killing; only a process stuck in the kernel lasts longer."""

POLL_SECONDS = (0.05, 0.25)
"""Interval between two looks at the process tree: at the start of a run, and later."""


@dataclass
class Watch:
    """The processes of one run, as far as they were ever seen.

    A process belongs to the run if it descends from the first one, shares its session or process
    group, lives in the view that holds this run's record folder, or carries the run's configuration
    in its environment; each of these finds what the others miss (daemons that detach twice). The
    first process must not be reaped before `kill` is done: its number then cannot be a stranger's.
    """

    pid: int
    record_dir: Path
    peak_rss: int = 0
    seen: dict[int, float] = field(default_factory=dict)

    def look(self) -> None:
        """Note the tree's processes and its memory."""
        try:
            root = psutil.Process(self.pid)
            tree = [root, *root.children(recursive=True)]
        except psutil.Error:
            return
        total = 0
        for process in tree:
            with contextlib.suppress(psutil.Error):
                self.seen[process.pid] = process.create_time()
                total += process.memory_info().rss
        self.peak_rss = max(self.peak_rss, total)

    def kill(self) -> int:
        """Kill what is left of the run, until nothing is, and return how many that were."""
        self.look()
        killed: set[int] = set()
        deadline = time.monotonic() + KILL_SECONDS
        while (left := self._left()) and time.monotonic() < deadline:
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
                    killed.add(process.pid)
            time.sleep(0.005)  # psutil's own wait would take the exit status from the run's owner
        return len(killed)

    def _left(self) -> list[psutil.Process]:
        namespace = self._namespace()
        marker = f"DIAGNOSER_SEAM={self.record_dir}/".encode()
        created = self.seen
        left = []
        for pid in psutil.pids():
            if pid == os.getpid():
                continue
            with contextlib.suppress(psutil.Error, OSError):
                if not self._is_ours(pid, namespace, marker):
                    process = psutil.Process(pid) if pid in created else None
                    if process is None or process.create_time() != created[pid]:
                        continue
                process = psutil.Process(pid)
                if process.status() != psutil.STATUS_ZOMBIE:
                    left.append(process)
        return left

    def _is_ours(self, pid: int, namespace: int | None, marker: bytes) -> bool:
        if self.pid in (os.getsid(pid), os.getpgid(pid)):
            return True
        folder = Path("/proc", str(pid))
        with contextlib.suppress(OSError):
            # The kernel gives an ended namespace's number to the next one, so the number alone may
            # be a stranger's: only this run's view has its record folder as a mount.
            if (
                namespace is not None
                and (folder / "ns" / "mnt").stat().st_ino == namespace
                and self._mounted_record() in (folder / "mountinfo").read_bytes().split()
            ):
                return True
            return marker in (folder / "environ").read_bytes()
        return False

    def _mounted_record(self) -> bytes:
        """The record folder as the kernel's mount table spells it."""
        path = os.fsencode(self.record_dir)
        for plain in (b"\\", b" ", b"\t", b"\n"):
            path = path.replace(plain, b"\\%03o" % plain[0])
        return path

    def _namespace(self) -> int | None:
        found = read_status(self.record_dir).get("mount_namespace")
        own = _own_namespace()
        return found if isinstance(found, int) and found != own else None


def _own_namespace() -> int | None:
    try:
        return Path("/proc/self/ns/mnt").stat().st_ino
    except OSError:
        return None


def read_status(record_dir: Path) -> dict[str, object]:
    """What the process said about its sandbox before it ran the user's code; empty if nothing."""
    try:
        status = json.loads((record_dir / "sandbox.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return status if isinstance(status, dict) else {}


def wait(watch: Watch, descriptor: int, limit: float, cancelled: Callable[[], bool]) -> bool:
    """Wait until `descriptor` is readable (the run ended); False if the host must kill it.

    The time allowed is `limit` seconds and the grace in which the probes stop the run themselves.
    """
    began = time.monotonic()
    allowed = limit + GRACE_SECONDS + GRACE_SHARE * limit
    poller = select.poll()
    poller.register(descriptor, select.POLLIN | select.POLLHUP)
    while True:
        passed = time.monotonic() - began
        if passed >= allowed or cancelled():
            return False
        pause = POLL_SECONDS[0] if passed < 1.0 else POLL_SECONDS[1]
        if poller.poll(1000 * min(pause, allowed - passed)):
            return True
        watch.look()


def exit_code(status: int) -> int:
    """The code of a wait status; negative is the signal that ended the process."""
    return os.waitstatus_to_exitcode(status)


@dataclass(frozen=True)
class Ended:
    """How a run's first process ended: `exit` is None if the host killed it."""

    exit: int | None
    peak_rss: int
    leftover: int


def kill_tree(pid: int) -> None:
    """Kill a process that the host started, and all its descendants."""
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in [*root.children(recursive=True), root]:
            with contextlib.suppress(psutil.Error):
                process.kill()
