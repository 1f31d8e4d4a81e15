"""Read what the probes of a run wrote, whatever state the processes left it in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MAX_TEXT = 200_000
"""Characters of a stream that are kept: the first and the last half of it."""


def read_records(folder: Path, moved: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """All records of a run, process after process, each with its `pid` added.

    A line that was cut by a kill is left out. `moved` maps folders of a sandbox's copy to the
    original ones; paths that begin with one are mapped back.
    """
    found: list[tuple[int, int, list[dict[str, Any]]]] = []
    for path in folder.glob("*.jsonl"):
        pid, _, rest = path.stem.partition("-")
        started = rest.partition("-")[0]
        if pid.isdigit() and started.isdigit():
            found.append((int(started), int(pid), list(_lines(path, int(pid), moved or {}))))
    return [record for _, _, records in sorted(found, key=lambda e: e[:2]) for record in records]


def _lines(path: Path, pid: int, moved: Mapping[str, str]) -> list[dict[str, Any]]:
    records = []
    for line in path.read_bytes().splitlines():
        text = line.decode("utf-8", "replace")
        for copied, original in moved.items():
            text = text.replace(_in_json(copied), _in_json(original))
        try:
            record = json.loads(text)
        except ValueError:
            continue
        if isinstance(record, dict):
            records.append({**record, "pid": pid})
    return records


def _in_json(path: str) -> str:
    return json.dumps(path)[1:-1]


def read_text(path: Path, moved: Mapping[str, str] | None = None) -> str:
    """A captured stream, its middle left out when it is long, with copied paths mapped back."""
    half = MAX_TEXT // 2
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(0)
        if size <= MAX_TEXT:
            text = stream.read().decode("utf-8", "replace")
        else:
            head = stream.read(half).decode("utf-8", "replace")
            stream.seek(-half, 2)
            tail = stream.read().decode("utf-8", "replace")
            text = f"{head}\n[... {size - MAX_TEXT} bytes left out ...]\n{tail}"
    for copied, original in (moved or {}).items():
        text = text.replace(copied, original)
    return text
