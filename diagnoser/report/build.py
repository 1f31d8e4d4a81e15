"""From a verdict to the report: evidence numbered, paths relative, the five parts filled."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from diagnoser import __version__
from diagnoser.fixes.patch import relative
from diagnoser.report.background import LEVEL, background_facts
from diagnoser.report.consulted import with_suggestion
from diagnoser.report.numbering import Numbering
from diagnoser.report.status import status_of
from diagnoser.report.work import Work, place_of
from diagnoser.rules.base import Finding
from diagnoser.rules.engine import Judged
from diagnoser.runner.request import RunOutcome
from diagnoser.schema import (
    Candidate,
    Diagnosis,
    Edit,
    Environment,
    Fix,
    Grade,
    NotEvaluated,
    Provenance,
    Report,
    RunSummary,
    Sandbox,
    Seconds,
)
from diagnoser.schema import Finding as FindingRow

MAX_OTHERS = 6
"""Suspected causes that are listed beside the settled ones."""


def build_report(work: Work) -> Report:
    """The whole answer as one immutable value."""
    suggestion = work.consulted.suggestion if work.consulted is not None else None
    report = rules_report(work, background=suggestion is not None)
    return with_suggestion(report, suggestion) if suggestion is not None else report


def rules_report(work: Work, *, background: bool = False) -> Report:
    """What the rules alone say; with `background`, facts that no rule cites stand in it too."""
    numbering = Numbering(work)
    shown = _shown(work)
    candidates = tuple(_candidate(work, entry, numbering) for entry in shown)
    status = status_of(work, shown)
    clearing = _clearing(work, numbering) if status in ("healthy", "not-reproduced") else ()
    diagnosis = None
    if status == "diagnosed":
        diagnosis = _diagnosis(work, shown[0], candidates[0])
    elif status in ("healthy", "not-reproduced"):
        diagnosis = _nothing_wrong(work, clearing)
    if background:
        _clearing(work, numbering)
        numbering.cite(background_facts(work), LEVEL)
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
        provenance=_provenance(work),
        seconds=Seconds(**seconds),
    )


def _provenance(work: Work) -> Provenance:
    asked = work.consulted
    if asked is None:
        return Provenance(version=__version__)
    return Provenance(
        version=__version__,
        model=asked.model,
        prompt=asked.prompt,
        tokens=asked.tokens,
        note=asked.note or None,
    )


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


def _candidate(work: Work, entry: Judged, numbering: Numbering) -> Candidate:
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


def _clearing(work: Work, numbering: Numbering) -> tuple[str, ...]:
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
        diagnosis=entry.rule.title + (f". {sentence}." if sentence != entry.rule.title else "."),
        evidence=cited,
        fix=fix,
        verification=_verification(work, entry, fix),
        prevention=entry.rule.prevention,
    )


def _edit(edit: Edit, folder: Path) -> Edit:
    return edit.model_copy(update={"file": relative(edit.file, folder)})


def _verification(work: Work, entry: Judged, fix: Fix) -> str:
    check = _section(entry.rule.documentation(), "Verify")
    if entry.arm is not None and entry.arm.removed_symptom:
        check = f"Confirmed by experiment {entry.arm.intervention}: {entry.arm.note}. {check}"
    if work.question.target is None:
        return check
    command = f"diagnoser ask {_quoted(work.question.symptom)} {work.question.target}"
    if work.question.args:
        command += f" -- {shlex.join(work.question.args)}"
    if fix.verified != "not-run":
        return f"{check} After the change run: {command}"
    return f"{check} Then run again: {command}"


def _quoted(text: str) -> str:
    shortened = " ".join(text.split())
    return '"' + shortened.replace('"', "'")[:300] + '"'


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
