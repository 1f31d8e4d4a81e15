"""What a conversation writes to files that the user names; none is ever overwritten."""

from __future__ import annotations

from pathlib import Path

from diagnoser.chat.answers import at, share_text
from diagnoser.chat.session import Session
from diagnoser.errors import InputError
from diagnoser.report.json_report import to_json
from diagnoser.report.literal import literal, one_line
from diagnoser.schema import Report

FORMATS = ("md", "json")


def new_file(name: str, command: str) -> Path:
    """The path of a file to write; raises InputError where something is there already."""
    if not name:
        raise InputError(f"{command} needs a file", f"For example: {command} notes.txt")
    path = Path(name).expanduser()
    if path.exists():
        raise InputError(f"{name} is there already", "Name a file that is not there yet.")
    return path


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; raises InputError."""
    try:
        with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text if text.endswith("\n") else text + "\n")
    except OSError as error:
        raise InputError(
            f"cannot write {path}: {error.strerror}", "Name a file in a folder that can be written."
        ) from error


def transcript(session: Session) -> str:
    """The whole conversation as text."""
    return "\n".join(f"> {literal(turn.said)}\n{turn.answered}\n" for turn in session.turns)


def exported(report: Report, form: str) -> str:
    """The report in one of `FORMATS`."""
    return to_json(report) if form == "json" else markdown(report)


def markdown(report: Report) -> str:
    """The report as Markdown; text from scripts stands in code spans and fences."""
    lines = ["# Diagnosis", "", f"Status: {report.status}", ""]
    if report.question.symptom:
        lines += ["> " + one_line(report.question.symptom), ""]
    diagnosis = report.diagnosis
    if diagnosis is not None:
        lines += [_plain(diagnosis.diagnosis), ""]
    if report.candidates:
        lines += ["## Candidates", ""]
        lines += [
            f"{number}. {row.cause} ({row.grade}, {share_text(row.confidence)}): {row.title}"
            + _plain(at(row.locations[0] if row.locations else None))
            for number, row in enumerate(report.candidates, 1)
        ]
        lines.append("")
    if report.evidence:
        lines += ["## Evidence", ""]
        lines += [f"- {row.id}: {_plain(row.summary)}" for row in report.evidence]
        lines.append("")
    if diagnosis is not None:
        lines += ["## Fix", "", _plain(diagnosis.fix.summary), ""]
        if diagnosis.fix.diff:
            lines += [
                *_fenced(diagnosis.fix.diff, "diff"),
                "",
                f"Verified: {diagnosis.fix.verified}",
                "",
            ]
        lines += ["## Verification", "", _plain(diagnosis.verification), ""]
        lines += ["## Prevention", "", _plain(diagnosis.prevention), ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text that no Markdown reader takes for markup or a link."""
    escaped = "".join(
        f"\\{letter}" if letter in "\\`*_[]<>#|!" else letter for letter in one_line(text)
    )
    return f" {escaped}" if text.startswith(" ") else escaped


def _fenced(text: str, language: str) -> list[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}{language}", literal(text).rstrip("\n"), fence]
