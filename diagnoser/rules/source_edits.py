"""Exact edits on source lines that a rule can state without parsing the whole file."""

from __future__ import annotations

import re

from diagnoser.rules.base import Source
from diagnoser.schema import Edit, Location


def insert_after(
    source: Source, place: Location, pattern: str, template: str, cause: str
) -> Edit | None:
    """Insert a line after `place`, filled with the groups that `pattern` finds in that line.

    The line must be a statement of its own (one logical line, no `;`), so that the new line can
    stand below it with the same indentation.
    """
    line = source.line(place.file, place.line)
    found = re.search(pattern, line)
    if found is None or ";" in line or line.rstrip().endswith((":", "\\", ",", "(")):
        return None
    before_text = line.strip()
    if before_text.startswith(("if ", "for ", "while ", "with ", "return ", "lambda", "def ")):
        return None
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(
        file=place.file,
        line=place.line,
        cause=cause,
        before=line,
        after=f"{line}\n{indent}{template.format(**found.groupdict())}",
    )


def replace_once(
    source: Source, place: Location, pattern: str, text: str, cause: str
) -> Edit | None:
    """Replace what a pattern matches in one line; None unless it matches exactly once."""
    line = source.line(place.file, place.line)
    if len(re.findall(pattern, line)) != 1:
        return None
    return Edit(
        file=place.file,
        line=place.line,
        cause=cause,
        before=line,
        after=re.sub(pattern, text.replace("\\", r"\\"), line),
    )
