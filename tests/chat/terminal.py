"""`diagnoser chat` on a pseudo-terminal, typed at and read like a person would."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from tests.conftest import REPOSITORY

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
PROMPT = "diagnoser>"
MODULE = ("-m", "diagnoser", "chat")


class Terminal:
    """One process on a terminal of its own; a context manager that ends it."""

    def __init__(self, *words: str, cwd: Path, state: Path, term: str = "xterm") -> None:
        self.text = ""
        self._mark = 0
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.environ.update(
                PYTHONPATH=str(REPOSITORY),
                TERM=term,
                PROMPT_TOOLKIT_NO_CPR="1",
                XDG_STATE_HOME=str(state),
                XDG_CONFIG_HOME=str(state / "config"),
                OMP_NUM_THREADS="1",
            )
            os.execv(sys.executable, [sys.executable, *MODULE, *words])
        fcntl.ioctl(self._descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._descriptor)

    def press(self, keys: str) -> None:
        """Send keys, as much at a time as the terminal takes."""
        data = keys.encode()
        while data:
            self._read(0)
            _, ready, _ = select.select([], [self._descriptor], [], 1)
            if ready:
                data = data[os.write(self._descriptor, data[:512]) :]

    def ask(self, line: str, seconds: float = 90) -> str:
        """Type a line and return what is said until the next prompt."""
        self.mark()
        self.press(f"{line}\r")
        return self.wait(lambda said: PROMPT in said.partition("\n")[2], seconds)

    def mark(self) -> None:
        """What comes from here on is looked at by `wait`."""
        self._read(0)
        self._mark = len(self.text)

    def wait(self, there: str | Callable[[str], bool], seconds: float = 90) -> str:
        """What was said since the mark, once it is all there."""
        wanted = there if callable(there) else lambda said: there in said
        deadline = time.monotonic() + seconds
        while not wanted(self.said):
            assert time.monotonic() < deadline, f"waited {seconds} s, it said:\n{self.said[-3000:]}"
            assert self._read(0.2) or not self.ended(), f"it ended:\n{self.said[-3000:]}"
        return self.said

    @property
    def said(self) -> str:
        """What was said since the mark, without the terminal's codes."""
        return CODES.sub("", self.text[self._mark :])

    def ended(self) -> bool:
        """Whether the process is gone."""
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def exit_code(self, seconds: float = 30) -> int:
        """Wait for the end; what is still said is read."""
        deadline = time.monotonic() + seconds
        while not self.ended():
            assert time.monotonic() < deadline, f"it goes on:\n{self.said[-3000:]}"
            self._read(0.1)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._descriptor, 65536)
        except OSError:
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)
