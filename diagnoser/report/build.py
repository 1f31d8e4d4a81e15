"""From a verdict to the report: evidence numbered, paths relative, the five parts filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from diagnoser import __version__
from diagnoser.rules.base import Fact, Finding
from diagnoser.rules.engine import Judged, Verdict
from diagnoser.rules.examination import Examination
from diagnoser.runner.request import RunOutcome
from diagnoser.schema import (
    Candidate,
    Diagnosis,
    Edit,
    Environment,
    Evidence,
    Fix,
    Grade,
    Location,
    NotEvaluated,
    Provenance,
    Question,
    Report,
    RunSummary,
    Sandbox,
    Seconds,
    Status,
)
from diagnoser.schema import Finding as FindingRow

MAX_OTHERS = 6
"""Suspected causes that are listed beside the settled ones."""
SERIOUS = frozenset({"loss-nan", "loss-explodes", "out-of-memory", "crash"})
"""Symptoms whose presence alone forbids to say that nothing is wrong."""


@dataclass
class Work:
    """What one answer gathers on its way to the report."""

    question: Question
    kind: str
    folder: Path
    examination: Examination
    verdict: Verdict
    runs: list[RunOutcome] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    fix: Fix | None = None
    fixed: str = ""
    """The cause that the fix is for."""
    fix_note: str = ""


class _Numbering:
    """Gives facts their ids, E1, E2 …, in the order in which they are cited."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._ids: dict[tuple[str, str], str] = {}
        self.evidence: list[Evidence] = []

    def cite(self, facts: Sequence[Fact], level: int) -> tuple[str, ...]:
        """Ids of facts; new ones become evidence."""
        return tuple(self._one(fact, level) for fact in facts)

    def _one(self, fact: Fact, level: int) -> str:
        key = (fact.kind, fact.summary)
        if key not in self._ids:
            self._ids[key] = f"E{len(self._ids) + 1}"
            self.evidence.append(
                Evidence(
                    id=self._ids[key],
                    collector=fact.kind.split(".")[0],
                    kind=fact.kind,
                    level=level,
                    step=fact.step,
                    location=place_of(self._work, fact.at),
                    summary=fact.summary,
                    data=_relative_data(dict(fact.data), self._work.folder),
                )
            )
        return self._ids[key]


def build_report(work: Work) -> Report:
    """The whole answer as one immutable value."""
    numbering = _Numbering(work)
    shown = _shown(work)
    candidates = tuple(_candidate(work, entry, numbering) for entry in shown)
    status = _status(work)
    clearing = _clearing(work, numbering) if status in ("healthy", "not-reproduced") else ()
    diagnosis = None
    if status == "diagnosed":
        diagnosis = _diagnosis(work, shown[0], candidates[0])
    elif status in ("healthy", "not-reproduced"):
        diagnosis = _nothing_wrong(work, clearing)
    environment = work.examination.environment
    seconds = {key: round(value, 3) for key, value in work.seconds.items()}
    return Report(
        status=status,
        question=work.question,
        symptoms=work.verdict.symptoms,
        candidates=candidates,
        evidence=tuple(numbering.evidence),
        diagnosis=diagnosis,
        not_evaluated=tuple(
            NotEvaluated(cause=slug, missing=what) for slug, what in work.verdict.missing
        ),
        runs=tuple(_run(outcome) for outcome in work.runs),
        sandbox=_sandbox(work.runs),
        environment=Environment(
            python=str(environment.get("python", "")),
            torch=str(environment.get("torch", "")),
            device=str(environment.get("device", "")),
        ),
        collector_failures=_failures(work),
        provenance=Provenance(version=__version__),
        seconds=Seconds(**seconds),
    )


def place_of(work: Work, place: Location | None) -> Location | None:
    """A place relative to the target's folder, with the source text of its line."""
    if place is None:
        return None
    return Location(
        file=_relative(place.file, work.folder),
        line=place.line,
        cell=place.cell,
        code=place.code or work.examination.line(place),
    )


def _relative(path: str, folder: Path) -> str:
    try:
        return Path(path).relative_to(folder).as_posix()
    except ValueError:
        return path


def _relative_data(value: Any, folder: Path) -> Any:
    """Paths inside a fact's data relative to the target's folder."""
    if isinstance(value, dict):
        return {
            key: _relative(item, folder)
            if key == "file" and isinstance(item, str)
            else _relative_data(item, folder)
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_relative_data(item, folder) for item in value]
    return value


def _shown(work: Work) -> list[Judged]:
    """Settled causes first, then suspected ones that something speaks for, then refuted ones."""
    words_only = work.kind in ("words", "text")
    kept = [
        entry
        for entry in work.verdict.judged
        if entry.grade in ("confirmed", "observed")
        or any(f.outcome == "fired" for f in entry.findings)
        or (words_only and set(entry.rule.prior) & set(work.examination.asked))
    ]
    settled = [entry for entry in kept if entry.grade in ("confirmed", "observed")]
    others = [entry for entry in kept if entry not in settled]
    return [*settled, *others[:MAX_OTHERS]]


def _grade(work: Work, entry: Judged) -> Grade:
    if work.kind in ("words", "text") and entry.grade == "observed":
        return "suspected"
    if entry.rule.slug == work.fixed and work.fix is not None and work.fix.verified == "verified":
        return "confirmed"
    return entry.grade


def _candidate(work: Work, entry: Judged, numbering: _Numbering) -> Candidate:
    return Candidate(
        cause=entry.rule.slug,
        title=entry.rule.title,
        category=entry.rule.category,
        level=entry.rule.level,
        grade=_grade(work, entry),
        confidence=round(entry.confidence, 4),
        locations=tuple(
            place for place in (place_of(work, p) for p in entry.places) if place is not None
        ),
        findings=tuple(
            FindingRow(
                outcome=finding.outcome,
                decibans=finding.decibans,
                evidence=numbering.cite(finding.facts, entry.rule.level),
                note=finding.note,
            )
            for finding in entry.findings
        ),
    )


def _status(work: Work) -> Status:
    examination, verdict = work.examination, work.verdict
    if work.kind in ("words", "text"):
        return "diagnosed" if examination.asked or examination.records else "not-run"
    if not work.runs:
        return "not-run"
    if verdict.settled:
        return "diagnosed"
    present = {reading.slug for reading in verdict.symptoms if reading.present == "yes"}
    if not examination.ran or present & SERIOUS or work.runs[0].stopped in ("crashed", "killed"):
        return "inconclusive"
    if present & set(examination.asked) - {"underfitting"} & {"loss-flat"}:
        return "inconclusive"
    if examination.curve is None:
        return "inconclusive"
    asked_seen = [r for r in verdict.symptoms if r.slug in examination.asked]
    if (
        work.runs[0].stopped == "budget"
        and asked_seen
        and all(r.present == "no" for r in asked_seen)
    ):
        return "not-reproduced"
    return "healthy"


def _clearing(work: Work, numbering: _Numbering) -> tuple[str, ...]:
    """The facts of silent findings: the numbers that clear the script."""
    cited: list[str] = []
    for entry in work.verdict.judged:
        for finding in entry.findings:
            if finding.outcome == "silent":
                cited.extend(numbering.cite(finding.facts, entry.rule.level))
    return tuple(dict.fromkeys(cited))


def _diagnosis(work: Work, entry: Judged, candidate: Candidate) -> Diagnosis:
    findings: Sequence[Finding] = sorted(
        (f for f in entry.findings if f.outcome == "fired"), key=lambda f: -f.decibans
    )
    sentence = entry.rule.sentence(findings)
    cited = tuple(dict.fromkeys(e for row in candidate.findings for e in row.evidence))
    fix = Fix(summary=entry.rule.fix_summary)
    if work.fix is not None and work.fixed == entry.rule.slug:
        fix = work.fix.model_copy(
            update={"edits": tuple(_edit(edit, work.folder) for edit in work.fix.edits)}
        )
    return Diagnosis(
        diagnosis=f"{entry.rule.title}. {sentence}.",
        evidence=cited,
        fix=fix,
        verification=_verification(work, entry, fix),
        prevention=entry.rule.prevention,
    )


def _edit(edit: Edit, folder: Path) -> Edit:
    return edit.model_copy(update={"file": _relative(edit.file, folder)})


def _verification(work: Work, entry: Judged, fix: Fix) -> str:
    check = _section(entry.rule.documentation(), "Verify")
    if entry.arm is not None and entry.arm.removed_symptom:
        check = f"Confirmed by experiment {entry.arm.intervention}: {entry.arm.note}. {check}"
    if work.question.target is None:
        return check
    command = f"diagnoser ask {_quoted(work.question.symptom)} {work.question.target}"
    if fix.verified != "not-run":
        return f"{check} After the change run: {command}"
    return f"{check} Then run again: {command}"


def _quoted(text: str) -> str:
    shortened = " ".join(text.split())
    return '"' + shortened.replace('"', "'")[:120] + '"'


def _section(documentation: str, name: str) -> str:
    """One section of a rule's documentation as a paragraph."""
    lines: list[str] = []
    inside = False
    for line in documentation.splitlines():
        if line.startswith(f"{name}:"):
            inside = True
        elif inside and line.startswith("    "):
            lines.append(line.strip())
        elif inside:
            break
    return " ".join(lines)


def _nothing_wrong(work: Work, cited: tuple[str, ...]) -> Diagnosis:
    notes = "; ".join(
        f"{reading.slug}: {reading.note}"
        for reading in work.verdict.symptoms
        if reading.present == "no" and reading.note and reading.category != "program"
    )
    return Diagnosis(
        diagnosis="Nothing wrong found.",
        evidence=cited,
        fix=Fix(summary="Nothing to change"),
        verification=notes,
        prevention="",
    )


def _run(outcome: RunOutcome) -> RunSummary:
    steps = [
        int(record.get("data", {}).get("updates", 0))
        for record in outcome.records
        if record.get("kind") == "run.end"
    ]
    return RunSummary(
        role=outcome.role,
        name=outcome.name,
        exit=outcome.exit,
        stopped=outcome.stopped,
        steps=max(steps, default=0),
        seconds=round(outcome.seconds, 3),
    )


def _sandbox(runs: Sequence[RunOutcome]) -> Sandbox:
    return runs[0].sandbox if runs else "none"


def _failures(work: Work) -> tuple[str, ...]:
    failed = [
        f"{record.data.get('collector')}: {record.data.get('error')}"
        for record in work.examination.of("collector.failed")
    ]
    seen = [failure for outcome in work.runs[:1] for failure in outcome.failures]
    return tuple(dict.fromkeys([*failed, *seen]))
