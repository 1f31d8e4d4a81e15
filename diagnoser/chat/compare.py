"""What changed from one run of the target to the next."""

from __future__ import annotations

import difflib
import math
from pathlib import Path

from diagnoser.chat.session import Answer
from diagnoser.experiments.judge import ends_of
from diagnoser.fixes.patch import relative
from diagnoser.report.literal import one_line
from diagnoser.report.work import Work
from diagnoser.rules.source_lines import lines_of

MAX_FILES = 4


def comparison(before: Answer, after: Answer) -> str:
    """Files, symptoms, cause, last loss and last printed line: before against now."""
    old, new = before.work, after.work
    rows = [
        ("Files", _files(old, new)),
        ("Symptoms", _symptoms(old, new)),
        ("Cause", _cause(before, after)),
        ("Last loss", _number(ends_of(old.examination)[1], ends_of(new.examination)[1])),
        ("Exit code", _pair(str(old.examination.exit), str(new.examination.exit))),
        ("Printed", _pair(_printed(old), _printed(new))),
    ]
    lines = [f"  {label.ljust(9)}  {text}" for label, text in rows if text]
    return "\n".join(["Compared with the run before:", *lines])


def _files(old: Work, new: Work) -> str:
    parts = []
    before, after = old.examination.sources, new.examination.sources
    for path in sorted(set(before) | set(after)):
        if before.get(path) == after.get(path):
            continue
        changes = list(difflib.ndiff(lines_of(before.get(path, "")), lines_of(after.get(path, ""))))
        added = sum(line.startswith("+ ") for line in changes)
        gone = sum(line.startswith("- ") for line in changes)
        name = one_line(relative(path, new.folder))
        parts.append(f"{Path(name).as_posix()} (+{added} -{gone} lines)")
    if not parts:
        return "none of your Python files changed"
    more = f", {len(parts) - MAX_FILES} more" if len(parts) > MAX_FILES else ""
    return ", ".join(parts[:MAX_FILES]) + more


def _symptoms(old: Work, new: Work) -> str:
    def present(work: Work) -> set[str]:
        return {reading.slug for reading in work.verdict.symptoms if reading.present == "yes"}

    before, after = present(old), present(new)
    parts = [f"{slug} is gone" for slug in sorted(before - after)]
    parts += [f"{slug} is new" for slug in sorted(after - before)]
    parts += [f"{slug} is still there" for slug in sorted(before & after)]
    return ", ".join(parts) or "none was there, none is"


def _cause(before: Answer, after: Answer) -> str:
    old, new = before.stated or "none", after.stated or "none"
    return f"still {new}" if old == new else f"{old} before, {new} now"


def _number(old: float, new: float) -> str:
    if math.isnan(old) and math.isnan(new):
        return "no finite one, before and now"
    return f"{old:.4g} before, {new:.4g} now"


def _pair(old: str, new: str) -> str:
    return "" if old == new else f"{old} before, {new} now"


def _printed(work: Work) -> str:
    lines = [line for line in work.examination.stdout.splitlines() if line.strip()]
    return f'"{one_line(lines[-1])[:80]}"' if lines else "nothing"
