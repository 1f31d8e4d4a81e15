"""Ctrl-C ends the work that goes on, once; nothing disturbs the tidying up after it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

ENDED = 130


def _ignore(number: int, frame: FrameType | None) -> None:
    """An interrupt while nothing runs, or while the work is being ended, is no event."""


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, _ignore)
    raise KeyboardInterrupt


def _leave(number: int, frame: FrameType | None) -> None:
    for name in ("SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), _ignore)
    raise SystemExit(ENDED)


@contextlib.contextmanager
def calm() -> Iterator[None]:
    """Between two pieces of work an interrupt changes nothing; a request to end does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ends())}
    quiet()
    for number in _ends():
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def quiet() -> None:
    """Ignore interrupts from here on, also after a prompt that set handlers of its own."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _ignore)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """The first interrupt raises KeyboardInterrupt here; later ones are ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _ends() -> tuple[signal.Signals, ...]:
    return (signal.SIGTERM, signal.SIGHUP)
