"""The fix that a conversation talks about: stated, shown, and the pattern where there is none."""

from __future__ import annotations

from diagnoser.chat.answers import judged_as
from diagnoser.chat.session import Answer, Session
from diagnoser.errors import InputError
from diagnoser.fixes.proposal import Proposal, propose
from diagnoser.report.layout import number_text
from diagnoser.report.literal import literal, one_line
from diagnoser.report.terminal import VERIFIED
from diagnoser.rules.engine import Verdict
from diagnoser.rules.registry import rule_named
from diagnoser.schema import Fix


def need_answer(session: Session) -> Answer:
    """The latest answer; raises InputError where there is none."""
    if session.last is None:
        raise InputError(
            "there is no answer yet", "Say what you see, or /target FILE and /run find out."
        )
    return session.last


def need_cause(session: Session) -> str:
    """The cause that is talked about; raises InputError where none is stated."""
    answer = need_answer(session)
    if not session.cause:
        state = answer.report.status
        raise InputError(
            f"no cause is stated ({state})",
            "/candidates lists what is suspected; /fix N shows one.",
        )
    return session.cause


def cause_numbered(answer: Answer, number: str) -> str:
    """The cause of the n-th candidate, or the one of that name; raises InputError."""
    candidates = answer.report.candidates
    if number.isdigit() and 0 < int(number) <= len(candidates):
        return candidates[int(number) - 1].cause
    if number.isdigit() or not number:
        raise InputError(f"there is no candidate {number}", "/candidates lists them.")
    return judged_as(answer, number).rule.slug


def proposal_for(answer: Answer, cause: str) -> Proposal | None:
    """The exact change of one settled cause, not verified; None where there is none."""
    verdict = answer.work.verdict
    alone = tuple(entry for entry in verdict.settled if entry.rule.slug == cause)
    work = answer.work
    return propose(
        Verdict(alone, verdict.symptoms, verdict.missing), work.examination.sources, work.folder
    )


def fix_of(session: Session) -> Fix | None:
    """The change for the cause that is talked about, verified or not, with absolute paths."""
    answer, cause = session.last, session.cause
    if answer is None or not cause:
        return None
    work, diagnosis = answer.work, answer.report.diagnosis
    if work.fix is not None and work.fixed == cause:
        return work.fix
    if diagnosis is not None and diagnosis.fix.edits and answer.stated == cause:
        edits = [
            e.model_copy(update={"file": str(work.folder / e.file)}) for e in diagnosis.fix.edits
        ]
        return diagnosis.fix.model_copy(update={"edits": tuple(edits)})
    proposal = proposal_for(answer, cause)
    return proposal.fix if proposal is not None else None


def fix_text(session: Session) -> str:
    """The change, its diff and what the re-run with it showed; else the pattern."""
    cause, fix = need_cause(session), fix_of(session)
    rule = rule_named(cause)
    summary = rule.fix_summary if rule is not None else ""
    if fix is None or not fix.edits:
        return f"{cause}: {summary}.\n{pattern_text(cause)}"
    lines = [f"{cause}: {one_line(fix.summary)}.", literal(fix.diff).rstrip("\n"), ""]
    lines.append(VERIFIED[fix.verified])
    for name in dict.fromkeys([*fix.before, *fix.after]):
        old, new = number_text(fix.before.get(name)), number_text(fix.after.get(name))
        if fix.verified != "not-run" and old != new:
            lines.append(f"  {one_line(name)}: {old} before, {new} after")
    if session.written:
        lines.append("It is written; /undo takes it back.")
    elif fix.verified == "verified":
        lines.append("/apply writes it into the file.")
    elif fix.verified == "not-run":
        lines.append("/verify runs the script with it.")
    return "\n".join(lines)


def pattern_text(cause: str) -> str:
    """How the cause looks in code, and what to write instead."""
    rule = rule_named(cause)
    if rule is None:
        return "No pattern is known for it."
    documentation = rule.documentation()
    example, instead = section(documentation, "Example"), section(documentation, "Use instead")
    return "\n".join(
        [
            "No exact edit was worked out for your file. The pattern, to be changed by hand:",
            *(f"  - {line}" for line in example),
            *(f"  + {line}" for line in instead),
            f"/show FILE:LINE shows your lines, /rules {cause} the whole page.",
        ]
    )


def section(documentation: str, name: str) -> list[str]:
    """The lines of one section of a rule's documentation."""
    lines: list[str] = []
    inside = False
    for line in documentation.splitlines():
        if line.startswith(f"{name}:"):
            inside = True
        elif inside and line.startswith("    "):
            lines.append(line[4:])
        elif inside:
            break
    return lines
