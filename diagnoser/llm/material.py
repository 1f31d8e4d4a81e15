"""What a prompt is made of: the question and all that was measured, as rows of text.

Rows hold summaries with their numbers; raw counters stay out, since they make answers worse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from diagnoser.fixes.patch import relative
from diagnoser.llm.excerpt import excerpts, middle_cut
from diagnoser.report.literal import literal, one_line
from diagnoser.report.work import Work
from diagnoser.rules.registry import all_rules
from diagnoser.schema import Candidate, Evidence, Location, Report

MAX_CANDIDATES = 8
MAX_EVIDENCE = 60
LOG_CHARACTERS = 4_000
SYMPTOM_CHARACTERS = 8_000

Redact = Callable[[str], str]


@dataclass(frozen=True)
class Excerpt:
    """One file's numbered lines."""

    name: str
    text: str


@dataclass(frozen=True)
class Log:
    """The end of what a run printed."""

    title: str
    text: str


@dataclass(frozen=True)
class Material:
    """All that a template shows."""

    symptom: str
    target: str
    status: str
    symptoms: tuple[str, ...]
    candidates: tuple[str, ...]
    evidence: tuple[str, ...]
    logs: tuple[Log, ...]
    files: tuple[Excerpt, ...]
    causes: tuple[str, ...]


def gather(work: Work, report: Report, budget: int, redact: Redact) -> Material:
    """Redact and cut what one answer gathered; `budget` is for source, in bytes."""
    sources = {
        relative(path, work.folder): redact(text) for path, text in work.examination.sources.items()
    }
    anchors = anchors_of(report)
    shown = excerpts(sources, {k: v for k, v in anchors.items() if k in sources}, budget)
    question = report.question
    target = " ".join([question.target or "", *question.args, *question.command]).strip()
    return Material(
        symptom=_text(work.examination.words or question.symptom, SYMPTOM_CHARACTERS, redact),
        target=one_line(redact(target)),
        status=report.status,
        symptoms=tuple(
            f"{row.slug} | {row.present} | {one_line(row.note)}"
            for row in report.symptoms
            if row.present != "not-seen"
        ),
        candidates=tuple(_candidate(row) for row in report.candidates[:MAX_CANDIDATES]),
        evidence=tuple(_evidence(row) for row in report.evidence[:MAX_EVIDENCE]),
        logs=tuple(_logs(work, redact)),
        files=tuple(Excerpt(literal(name), literal(text)) for name, text in shown.items()),
        causes=tuple(rule.slug for rule in all_rules()),
    )


def anchors_of(report: Report) -> Mapping[str, set[int]]:
    """The lines that evidence and candidates name, by file."""
    places = [row.location for row in report.evidence if row.location is not None]
    places += [place for row in report.candidates for place in row.locations]
    anchors: dict[str, set[int]] = {}
    for place in places:
        anchors.setdefault(place.file, set()).add(place.line)
    return anchors


def _logs(work: Work, redact: Redact) -> Iterable[Log]:
    for title, text in (
        ("What the script printed", work.examination.stdout),
        ("What it wrote to standard error", work.examination.stderr),
    ):
        if text.strip():
            yield Log(title, _text(text, LOG_CHARACTERS, redact))


def _text(text: str, size: int, redact: Redact) -> str:
    """A text cut in the middle; a secret that lies across the first cut falls to the second."""
    return middle_cut(redact(middle_cut(text, 4 * size)), size)


def _candidate(row: Candidate) -> str:
    findings = "; ".join(
        one_line(finding.note) + (f" [{', '.join(finding.evidence)}]" if finding.evidence else "")
        for finding in row.findings
        if finding.outcome == "fired"
    )
    parts = [row.cause, row.grade, f"{row.confidence:.2f}", one_line(row.title)]
    parts += [", ".join(_place(place) for place in row.locations[:3]), findings]
    return " | ".join(part for part in parts if part)


def _evidence(row: Evidence) -> str:
    place = _place(row.location) if row.location is not None else "-"
    return f"{row.id} | {row.kind} | {place} | {one_line(row.summary)}"


def _place(place: Location) -> str:
    return f"{one_line(place.file)}:{place.line}"
