"""The texts about one answer: why, evidence, candidates, source lines, what was printed."""

from __future__ import annotations

import json
from collections.abc import Sequence

from diagnoser.chat.naming import Place, did_you_mean, user_file
from diagnoser.chat.session import Answer
from diagnoser.errors import InputError
from diagnoser.fixes.patch import relative
from diagnoser.report.literal import literal, one_line
from diagnoser.rules.engine import Judged
from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Evidence, Location

CONTEXT = 3
"""Lines shown around a line that is asked for."""
MAX_LINES = 60
MAX_LISTED = 12
MAX_DATA = 2_000
MAX_PRINTED = 15


def share_text(confidence: float) -> str:
    """A confidence as per cent."""
    return f"{confidence:.0%}".replace("%", " %")


def at(place: Location | None) -> str:
    """A place in brackets, as the report writes it; "" without one."""
    return f" ({literal(place.file)}:{place.line})" if place is not None else ""


def why_text(answer: Answer, cause: str) -> str:
    """What speaks for and against a cause, and its experiments; raises InputError."""
    if cause == answer.stated and answer.report.diagnosis is not None:
        diagnosis = answer.report.diagnosis
        if diagnosis.source == "model":
            ids = f" [{', '.join(diagnosis.evidence)}]" if diagnosis.evidence else ""
            return f"{one_line(diagnosis.diagnosis)}{ids}\nSo says the language model."
    entry = judged_as(answer, cause)
    shown = {row.cause: row.grade for row in answer.report.candidates}
    grade, share = shown.get(cause, entry.grade), share_text(entry.confidence)
    head = f"{cause} ({grade}, {share}): {one_line(entry.rule.title)}"
    lines = [head + at(_first_place(answer, entry))]
    numbered = {(row.kind, row.summary): row.id for row in answer.report.evidence}
    for finding in sorted(entry.findings, key=lambda finding: -finding.decibans):
        if finding.outcome == "not-evaluated":
            lines.append(f"    -  not evaluated: {one_line(finding.note)}")
            continue
        cited = [numbered[key] for f in finding.facts if (key := (f.kind, f.summary)) in numbered]
        named = f" [{', '.join(cited)}]" if cited else ""
        lines.append(f"  {finding.decibans:+3d}  {one_line(finding.note)}{named}")
    if not entry.findings:
        lines.append("    -  nothing that was recorded speaks for it or against it")
    stated = sum(finding.decibans for finding in entry.findings)
    rest = entry.decibans - stated
    lines.append(f"  {rest:+3d}  how common it is under these symptoms, and experiments")
    lines += [f"  Experiment {line}" for line in _experiments(answer, entry)]
    work = answer.work
    if work.fixed == cause and work.fix is not None and work.fix.verified != "not-run":
        lines.append(f"  Re-run with the change: {work.fix.verified}. {one_line(work.fix_note)}")
    return "\n".join(lines)


def why_not_text(answer: Answer, cause: str) -> str:
    """Why a cause is not what the answer states; raises InputError."""
    if answer.stated == cause and answer.ran:
        return f"It is {cause}.\n{why_text(answer, cause)}"
    entry = judged_as(answer, cause)
    missing = dict(answer.work.verdict.missing).get(cause)
    if missing is not None:
        verdict = f"{cause} was not evaluated: {one_line(missing)}."
    elif entry.grade == "refuted":
        verdict = f"{cause} was tried and refuted."
    elif entry.grade in ("observed", "confirmed"):
        verdict = f"{cause} holds too; another cause comes first."
    elif any(f.outcome == "fired" and f.decibans > 0 for f in entry.findings):
        verdict = f"{cause} is only suspected: no probe read the defect itself."
    else:
        verdict = f"Nothing that was measured speaks for {cause}."
    return f"{verdict}\n{why_text(answer, cause)}"


def judged_as(answer: Answer, cause: str) -> Judged:
    """A cause as this answer judges it; raises InputError for one that is unknown."""
    for entry in answer.work.verdict.judged:
        if entry.rule.slug == cause:
            return entry
    known = [entry.rule.slug for entry in answer.work.verdict.judged]
    raise InputError(
        f"there is no cause {cause!r}", did_you_mean(cause, known) + "/rules lists all."
    )


def evidence_text(answer: Answer, name: str = "") -> str:
    """All evidence, or one piece with its data; raises InputError for an unknown id."""
    rows = answer.report.evidence
    if not name:
        if not rows:
            return "There is no evidence: nothing was measured."
        return "\n".join(_evidence_line(row) for row in rows)
    for row in rows:
        if row.id == name.upper():
            data = json.dumps(row.data, indent=2, default=str, ensure_ascii=False)
            if len(data) > MAX_DATA:
                data = data[:MAX_DATA] + "\n… /export json FILE writes all of it"
            return f"{_evidence_line(row)}\nKind {row.kind}, step {row.step}.\n{literal(data)}"
    near = did_you_mean(name, [row.id for row in rows])
    raise InputError(f"there is no evidence {name!r}", near + "/evidence lists all.")


def _evidence_line(row: Evidence) -> str:
    summary = one_line(row.summary)
    place = at(row.location)
    return f"{row.id.ljust(4)} {summary}" + ("" if place.strip(" ()") in summary else place)


def candidates_text(answer: Answer, doubted: frozenset[str], *, others: bool = False) -> str:
    """The ranked candidates with their numbers; with `others`, all but the stated one."""
    lines = []
    for number, row in enumerate(answer.report.candidates, 1):
        if others and row.cause == answer.stated:
            continue
        aside = "; your replies speak against it" if row.cause in doubted else ""
        place = at(row.locations[0] if row.locations else None)
        share = share_text(row.confidence)
        title = one_line(row.title)
        lines.append(f"{number:2d}. {row.cause} ({row.grade}, {share}): {title}{place}{aside}")
    if not lines:
        return "Nothing else: no other cause has anything that speaks for it."
    return "\n".join(lines)


def lines_text(
    sources: dict[str, str], place: Place, fallback: str, marked: Sequence[tuple[str, int]] = ()
) -> str:
    """Numbered source lines, the one asked for and those of the cause marked; raises InputError."""
    path = user_file(place.file, sources) if place.file else fallback
    if path not in sources:
        shown = place.file or "a file"
        names = ", ".join(sorted({path.rsplit("/", 1)[-1] for path in sources})[:MAX_LISTED])
        raise InputError(f"{shown} is none of the files that were read", f"There are: {names}.")
    lines = lines_of(sources[path])
    if place.line > len(lines):
        raise InputError(f"{path} has {len(lines)} lines", "Ask for one of them.")
    here = {line for file, line in marked if file == path}
    if place.line:
        begin, end = place.line, max(place.line, place.end)
        here |= {place.line} if begin == end else set()
        begin, end = (begin - CONTEXT, end + CONTEXT) if begin == end else (begin, end)
    else:
        begin, end = 1, len(lines)
    begin, end = max(begin, 1), min(end, len(lines))
    cut = end - begin + 1 - MAX_LINES
    end = min(end, begin + MAX_LINES - 1)
    rows = [
        f"{'>' if number in here else ' '} {number:4d}  {literal(lines[number - 1])}"
        for number in range(begin, end + 1)
    ]
    return "\n".join([*rows, *([f"  … {cut} more lines"] if cut > 0 else [])])


def printed_text(answer: Answer) -> str:
    """The last lines that the script printed, and of its errors."""
    examination = answer.work.examination
    parts = []
    for name, text in (("printed", examination.stdout), ("wrote as errors", examination.stderr)):
        lines = [line for line in text.splitlines() if line.strip()][-MAX_PRINTED:]
        if lines:
            parts += [f"The script {name}, at the end:", *(f"  {literal(line)}" for line in lines)]
    return "\n".join(parts) or "The script printed nothing."


def _experiments(answer: Answer, entry: Judged) -> list[str]:
    trial = entry.rule.trial
    if trial is None:
        return []
    lines = []
    for arm in answer.work.examination.arms:
        if arm.intervention != trial.intervention:
            continue
        strength = "".join(f" {key}={value:g}" for key, value in arm.params.items())
        outcome = "the symptom is gone" if arm.removed_symptom else "the symptom stays"
        if not arm.valid:
            outcome = "it says nothing: the change did not act"
        lines.append(f"{arm.intervention}{strength}: {outcome}; {one_line(arm.note)}")
    return lines or [f"{trial.intervention} was not tried; /experiment {trial.intervention} does"]


def _first_place(answer: Answer, entry: Judged) -> Location | None:
    if not entry.places:
        return None
    place = entry.places[0]
    return place.model_copy(update={"file": relative(place.file, answer.work.folder)})
