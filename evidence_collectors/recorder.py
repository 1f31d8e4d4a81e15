"""Append-only JSON Lines, one file per process, written through at once.

Every record goes to the kernel with a single `os.write`, so that what was seen survives
`os._exit`, a kill or a crash. The size is capped: past the cap only records marked as essential
are still written, and the number of dropped ones is kept.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any, Optional

MAX_BYTES = 24_000_000
"""Cap on one process's record; a 200-step probe run takes well under 1 MB."""


class Recorder:
    """Writes the records of one process."""

    def __init__(self, directory: str) -> None:
        self.pid = os.getpid()
        self.started = time.perf_counter()
        self.dropped = 0
        self._written = 0
        self.path = Path(directory) / f"{self.pid}-{time.time_ns()}.jsonl"
        self._fd: Optional[int] = os.open(
            str(self.path), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
        )

    def seconds(self) -> float:
        """Seconds since the recorder was opened."""
        return time.perf_counter() - self.started

    def write(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        step: int = 0,
        phase: str = "setup",
        at: Optional[dict[str, Any]] = None,
        essential: bool = False,
    ) -> None:
        """Append one record; does nothing in a forked child or after `close`."""
        if self._fd is None or os.getpid() != self.pid:
            return
        if self._written > MAX_BYTES and not essential:
            self.dropped += 1
            return
        line = json.dumps(
            {
                "kind": kind,
                "step": step,
                "phase": phase,
                "t": round(self.seconds(), 6),
                "at": at,
                "data": data,
            },
            default=str,
            separators=(",", ":"),
        )
        self._append(line)

    def write_number(self, kind: str, value: float, step: int, phase: str, site: int) -> None:
        """Append a record of one number and its site, formatted without the JSON encoder."""
        if self._fd is None or self._written > MAX_BYTES or os.getpid() != self.pid:
            return
        number = repr(value) if value - value == 0 else f'"{value}"'
        self._append(
            f'{{"kind":"{kind}","step":{step},"phase":"{phase}","t":{self.seconds():.6f},'
            f'"at":null,"data":{{"value":{number},"site":{site}}}}}'
        )

    def _append(self, line: str) -> None:
        payload = line.encode("utf-8", "replace") + b"\n"
        self._written += len(payload)
        if self._fd is not None:
            os.write(self._fd, payload)

    def close(self) -> None:
        """Stop writing; later calls of `write` do nothing."""
        if self._fd is not None and os.getpid() == self.pid:
            os.close(self._fd)
        self._fd = None
