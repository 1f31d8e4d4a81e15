"""Checks a model's answer against what was measured and what stands in the files. Pure.

Each failure is a sentence that can be sent back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from diagnoser.fixes.patch import apply_edits
from diagnoser.llm.masking import hides_symptom
from diagnoser.llm.wire import NONE, OTHER, WireAnswer, WireEdit
from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Edit, Grade

MAX_EDITS = 12
MAX_SHOWN = 120
"""Characters of a line that a sentence quotes."""


@dataclass(frozen=True)
class Known:
    """What an answer is held against."""

    evidence: frozenset[str]
    causes: frozenset[str]
    grades: Mapping[str, Grade]
    """Cause to grade, as the rules and their experiments left it."""
    sources: Mapping[str, str]
    """The user's own files, by absolute path."""
    folder: Path
    faulty: bool
    """Whether the rules named a fault."""


@dataclass(frozen=True)
class Grounded:
    """An answer that holds: its edits by absolute path, `before` as it stands in the file."""

    answer: WireAnswer
    edits: tuple[Edit, ...]
    patched: Mapping[str, str]


def ground(answer: WireAnswer, known: Known) -> tuple[Grounded | None, list[str]]:
    """The answer with its edits as the files have them, or why it does not hold."""
    reasons = [*_about_words(answer, known), *_about_cause(answer, known)]
    edits: list[Edit] = []
    for number, wire in enumerate(answer.edits[: MAX_EDITS + 1], 1):
        edit, reason = _edit(wire, answer.cause, known)
        if edit is None:
            reasons.append(f"edit {number}: {reason}")
        else:
            edits.append(edit)
    if len(answer.edits) > MAX_EDITS:
        reasons.append(f"there are {len(answer.edits)} edits; a repair takes at most {MAX_EDITS}")
    patched: Mapping[str, str] = {}
    if edits and len(edits) == len(answer.edits):
        patched, wrong = _patched(edits, known)
        reasons += wrong
    return (None, reasons) if reasons else (Grounded(answer, tuple(edits), patched), [])


def _about_words(answer: WireAnswer, known: Known) -> list[str]:
    reasons = []
    if not answer.diagnosis.strip():
        reasons.append("the diagnosis is empty")
    if not answer.evidence:
        reasons.append("the diagnosis cites no evidence")
    unknown = [name for name in answer.evidence if name not in known.evidence]
    if unknown:
        listed = ", ".join(sorted(known.evidence, key=lambda name: (len(name), name))) or "none"
        cited = ", ".join(name[:MAX_SHOWN] for name in unknown[:MAX_EDITS])
        reasons.append(f"there is no evidence {cited}; the ids are {listed}")
    return reasons


def _about_cause(answer: WireAnswer, known: Known) -> list[str]:
    cause = answer.cause
    if cause == NONE:
        reasons = ["nothing is wrong, yet there are edits"] if answer.edits else []
        if known.faulty:
            reasons.append("a fault was measured, so the cause cannot be none")
        return reasons
    if cause != OTHER and cause not in known.causes:
        return [f"there is no cause {cause[:MAX_SHOWN]!r}: take one of the list, or other"]
    confirmed = sorted(slug for slug, grade in known.grades.items() if grade == "confirmed")
    if confirmed and cause not in confirmed:
        return [f"the cause {confirmed[0]} is confirmed by a re-run and cannot be overruled"]
    if known.grades.get(cause) == "refuted":
        return [f"the cause {cause} was refuted by an experiment and cannot be named again"]
    return []


def _edit(wire: WireEdit, cause: str, known: Known) -> tuple[Edit | None, str]:
    """One edit with the file's own lines as `before`, or what is wrong with it."""
    path = _path(wire.file, known)
    if path is None:
        names = ", ".join(sorted(Path(name).name for name in known.sources)) or "none"
        return None, f"{wire.file[:MAX_SHOWN]!r} is none of the user's own files ({names})"
    quoted = _trimmed(wire.before)
    if not quoted:
        return None, "before is empty: to insert, quote the line above and repeat it in after"
    lines = lines_of(known.sources[path])
    here = lines[wire.line - 1 : wire.line - 1 + len(quoted)] if wire.line > 0 else []
    if [line.strip() for line in here] != [line.strip() for line in quoted]:
        stands = here[0].strip()[:MAX_SHOWN] if here else "nothing"
        return None, (
            f"before does not stand at {wire.file}:{wire.line}; there stands {stands!r}, "
            f"not {quoted[0].strip()[:MAX_SHOWN]!r}"
        )
    after = _as_indented(_trimmed(wire.after), quoted[0], here[0])
    if after == here:
        return None, "before and after are the same"
    return Edit(
        file=path, line=wire.line, cause=cause, before="\n".join(here), after="\n".join(after)
    ), ""


def _path(name: str, known: Known) -> str | None:
    """The user's own file of a name below the target's folder."""
    path = (known.folder / name).as_posix()
    below = Path(path).is_relative_to(known.folder) and ".." not in Path(name).parts
    return path if below and path in known.sources else None


def _trimmed(text: str) -> list[str]:
    """Lines without trailing blanks, and without blank lines around them."""
    lines = [line.rstrip() for line in lines_of(text)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def _as_indented(lines: Sequence[str], quoted: str, own: str) -> list[str]:
    """New lines moved from the indentation that was quoted to the file's own."""
    told, meant = _indent(quoted), _indent(own)
    if told == meant:
        return list(lines)
    return [meant + line.removeprefix(told) if line else line for line in lines]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _patched(edits: Sequence[Edit], known: Known) -> tuple[Mapping[str, str], list[str]]:
    spans: dict[str, set[int]] = {}
    for edit in edits:
        touched = set(range(edit.line, edit.line + len(lines_of(edit.before))))
        if touched & spans.get(edit.file, set()):
            return {}, ["two edits touch the same line"]
        spans.setdefault(edit.file, set()).update(touched)
    patched = apply_edits(known.sources, edits)
    if patched is None:
        return {}, ["with the edits the file no longer compiles"]
    reasons = [
        f"the change hides the symptom: {what}"
        for path, text in patched.items()
        for what in hides_symptom(known.sources[path], text)
    ]
    return patched, reasons
