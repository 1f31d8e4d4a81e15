"""Exact edits on source lines that a rule can state without parsing the whole file."""

from __future__ import annotations

import ast
import re

from diagnoser.rules.base import Source
from diagnoser.schema import Edit, Location

MAX_MOVE = 12
"""Lines over which a statement is moved at most."""


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


def insert_before(source: Source, place: Location, statement: str, cause: str) -> Edit | None:
    """Insert a statement above the line at `place`, which must be a whole simple statement."""
    line = source.line(place.file, place.line)
    if not is_statement(line):
        return None
    after = f"{indentation(line)}{statement}\n{line}"
    return Edit(file=place.file, line=place.line, cause=cause, before=line, after=after)


def move_line(source: Source, moved: Location, behind: Location, cause: str) -> Edit | None:
    """Move one line behind another of the same block; None unless both stand there plainly.

    Both must be statements of their own with the same indentation, and no line between them may
    lie outside their block. The edit covers all lines from the first to the last of the two.
    """
    if moved.file != behind.file or moved.line == behind.line:
        return None
    first, last = sorted((moved.line, behind.line))
    if last - first > MAX_MOVE:
        return None
    block = [source.line(moved.file, number) for number in range(first, last + 1)]
    line, target = block[moved.line - first], block[behind.line - first]
    indent = indentation(line)
    inner = [text for text in block if text.strip()]
    if indentation(target) != indent or not all(text.startswith(indent) for text in inner):
        return None
    if not (is_statement(line) and is_statement(target)):
        return None
    rest = [text for number, text in enumerate(block, first) if number != moved.line]
    at = rest.index(target) + 1
    after = [*rest[:at], line, *rest[at:]]
    return Edit(
        file=moved.file, line=first, cause=cause, before="\n".join(block), after="\n".join(after)
    )


def indentation(line: str) -> str:
    """The blanks at the head of a line."""
    return line[: len(line) - len(line.lstrip())]


def is_statement(line: str) -> bool:
    """Whether a line is one whole simple statement."""
    try:
        parsed = ast.parse(line.strip())
    except (SyntaxError, ValueError):
        return False
    return len(parsed.body) == 1 and isinstance(
        parsed.body[0], (ast.Expr, ast.Assign, ast.AugAssign)
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
