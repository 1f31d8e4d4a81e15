"""An exception in pasted text or a log, as the record that a probe would have made."""

from __future__ import annotations

import re
from typing import Any

from diagnoser.rules.examination import Record
from diagnoser.schema import Location

ERROR_LINE = re.compile(
    r"^(?P<type>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Warning|Exit))(?::\s*(?P<message>.*))?$",
    re.MULTILINE,
)
INLINE_ERROR = re.compile(r"(?P<type>[A-Z]\w*Error):\s*(?P<message>.+)")
FRAME = re.compile(
    r'^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?', re.M
)
LIBRARY = ("site-packages", "dist-packages", "/lib/python", "<frozen", "torch/")


def exception_in(text: str) -> Record | None:
    """The last exception that a text shows, with the innermost frame outside of libraries."""
    found = list(ERROR_LINE.finditer(text))
    match = found[-1] if found else INLINE_ERROR.search(text)
    if match is None:
        return None
    before = text[: match.start()]
    frames: list[dict[str, Any]] = [
        {
            "file": frame["file"],
            "line": int(frame["line"]),
            "function": frame["function"] or "",
            "user": not any(mark in frame["file"] for mark in LIBRARY),
        }
        for frame in FRAME.finditer(before)
    ]
    mine = [frame for frame in frames if frame["user"]]
    place = Location(file=mine[-1]["file"], line=mine[-1]["line"]) if mine else None
    return Record(
        kind="exception.raised",
        step=0,
        phase="setup",
        t=0.0,
        at=place,
        data={
            "type": match["type"].rsplit(".", 1)[-1],
            "message": (match["message"] or "").strip(),
            "frames": frames,
            "from_text": True,
        },
    )
