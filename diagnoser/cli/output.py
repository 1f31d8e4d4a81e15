"""Standard output is the answer, standard error is progress; both bear a broken pipe."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType

from diagnoser.errors import InputError
from diagnoser.report.literal import one_line

REDRAW_SECONDS = 0.5


def print_error(message: str, advice: str) -> None:
    """Write two lines: what is wrong, and what to do about it."""
    advice = advice or "`diagnoser --help` lists what can be asked."
    with contextlib.suppress(OSError):
        sys.stderr.write(f"error: {one_line(message)}\n{one_line(advice)}\n")
        sys.stderr.flush()


def write_answer(text: str, output: Path | None = None) -> None:
    """Print the answer, or write it to a file in one move; a closed pipe is no error."""
    text = text if text.endswith("\n") else text + "\n"
    if output is not None:
        _replace(output, text)
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace(path: Path, text: str) -> None:
    """Write a file so that it is either as before or complete; devices are written to directly."""
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
            return
        path = path.resolve()
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            temporary.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", "Give --output a file that can be written."
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_writable(path: Path | None) -> None:
    """Say before the work, not after it, that an output file cannot be written.

    Raises:
        InputError: the path is a folder, or its folder is missing or not writable.
    """
    if path is None:
        return
    advice = "Give --output the path of a file in a folder that exists and can be written."
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder", advice)
    if not path.absolute().parent.is_dir():
        raise InputError(
            f"cannot write {path}: there is no folder {path.absolute().parent}", advice
        )
    target = path if path.exists() else path.absolute().parent
    if not os.access(target, os.W_OK):
        raise InputError(f"cannot write {path}: permission denied", advice)


def wants_color(no_color: bool) -> bool:
    """Whether standard output shows colours: a terminal, and nobody has switched them off."""
    if no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()


class Progress:
    """Reports stages with the seconds since the start; a context manager.

    On a terminal one line is redrawn in place and gone at the end; elsewhere each report is a
    line of its own; with `quiet` nothing is written.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._redraw = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._began = time.monotonic()
        self._text = ""
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Progress:
        if self._redraw:
            self._ticker.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        if self._redraw:
            self._ticker.join()
            self._write("\r\x1b[K")

    def __call__(self, text: str) -> None:
        """Report what is being done now."""
        if self._quiet:
            return
        with self._lock:
            self._text = one_line(text)
        self._show()

    def clear(self) -> None:
        """Take the line away until the next report, so that something else can be written."""
        with self._lock:
            self._text = ""
        if self._redraw:
            self._write("\r\x1b[K")

    def _tick(self) -> None:
        while not self._over.wait(REDRAW_SECONDS):
            if self._text:
                self._show()

    def _show(self) -> None:
        line = f"{time.monotonic() - self._began:6.1f} s  {self._text}"
        if self._redraw:
            width = os.get_terminal_size(sys.stderr.fileno()).columns
            self._write(f"\r{line[: max(width - 1, 1)]}\x1b[K")
        else:
            self._write(f"{line}\n")

    def _write(self, text: str) -> None:
        with self._lock, contextlib.suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()
