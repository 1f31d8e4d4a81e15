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
    r'^\s*(?:\|\s*)?File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>\S+))?'
    r"|^File (?P<notebook>\S+?):(?P<place>\d+), in (?P<within>[\w.<>]+)"
    r"|^Cell In\s?\[\d+\], line (?P<cell_line>\d+)",
    re.MULTILINE,
)
COLOUR = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LIBRARY = ("site-packages", "dist-packages", "/lib/python", "<frozen", "torch/")


MAX_LOG = 20_000
MAX_MESSAGE_LINES = 12


def exception_in(text: str) -> Record | None:
    """The last exception that a text shows, with the innermost frame outside of libraries.

    Plain, chained and coloured tracebacks, those of IPython, and those that a loader worker hands
    on. The end of the text is kept, since what was printed before may name the cause.
    """
    text = COLOUR.sub("", text)
    found = list(ERROR_LINE.finditer(text))
    match = found[-1] if found else INLINE_ERROR.search(text)
    if match is None:
        return None
    frames = _frames(text[: match.start()])
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
            "message": _message(match["message"] or "", text[match.end() :]),
            "frames": frames,
            "log": text[-MAX_LOG:],
            "from_text": True,
        },
    )


def words_as_message(text: str) -> Record:
    """Words that may quote an error message without its traceback."""
    data = {"type": "", "message": text, "frames": [], "from_text": True, "quoted": True}
    return Record(kind="exception.raised", step=0, phase="setup", t=0.0, at=None, data=data)


def _frames(text: str) -> list[dict[str, Any]]:
    """All frames in the order of the text, with their source line where one is shown."""
    frames = []
    for found in FRAME.finditer(text):
        groups = found.groupdict()
        file = groups["file"] or groups["notebook"] or "<cell>"
        following = text[found.end() :].lstrip("\n").splitlines()
        arrow = next((line for line in following[:12] if line.lstrip().startswith("--")), "")
        code = re.sub(r"^\s*-+>\s*\d+\s?", "", arrow) if arrow else "".join(following[:1])
        frames.append(
            {
                "file": file,
                "line": int(groups["line"] or groups["place"] or groups["cell_line"]),
                "function": groups["function"] or groups["within"] or "",
                "code": code.strip(),
                "user": not any(mark in file for mark in LIBRARY) and file != "<cell>",
            }
        )
    return frames


def _message(first: str, rest: str) -> str:
    """The message with the lines that belong to it, which are indented or directly below."""
    lines = [first.strip()]
    for line in rest.splitlines()[1 : MAX_MESSAGE_LINES + 1]:
        if not line.strip() or not line[0].isspace():
            break
        lines.append(line)
    return "\n".join(lines)
