"""An answer as the conversation shows it."""

from __future__ import annotations

from diagnoser.chat.fixes import fix_of
from diagnoser.chat.session import Answer, Session
from diagnoser.report.literal import one_line
from diagnoser.report.terminal import to_terminal


def full_text(answer: Answer, *, color: bool) -> str:
    """The report as `ask` prints it, without its last line: here the next step is a command."""
    text = to_terminal(answer.report, color=color)
    return text.rpartition("\nNext: ")[0].rstrip("\n") or text.rstrip("\n")


def again_text(before: Answer, after: Answer, session: Session, *, color: bool) -> str:
    """The same measurements under more words: what they say of the symptoms, and the cause."""
    known = set(before.work.examination.asked)
    readings = [
        reading
        for reading in after.work.verdict.symptoms
        if reading.slug in after.work.examination.asked and reading.slug not in known
    ]
    lines = [f"{row.slug}: {row.present}, {one_line(row.note)}" for row in readings]
    head = "The run so far answers that"
    if any(row.present == "not-seen" for row in readings):
        head = "The run did not measure all of that; what it saw"
    if before.stated == after.stated and before.report.status == after.report.status:
        first = after.first
        if after.stated and first is not None:
            share = f"{first.confidence:.0%}".replace("%", " %")
            lines.append(f"{head}: still {first.cause} ({first.grade}, {share}).")
        elif after.report.status == "healthy":
            lines.append(f"{head}: nothing wrong found.")
        else:
            lines.append(f"It names no cause ({after.report.status}).")
        return "\n".join(lines)
    lines.append(f"{head}:")
    return "\n".join([*lines, "", full_text(after, color=color)])


def next_steps(session: Session) -> str:
    """The commands that are worth giving now."""
    answer, fix = session.last, fix_of(session)
    if answer is None:
        return ""
    if answer.stated and fix is not None and fix.verified == "verified":
        return "Next: /apply writes the change, /diff shows it, /why says what speaks for it."
    if answer.stated and fix is not None and fix.edits:
        return f"Next: /fix shows the change, /rules {answer.stated} the cause."
    if answer.stated:
        return f"Next: /fix shows the pattern, /rules {answer.stated} the cause."
    if answer.report.candidates:
        return "Next: /candidates lists what is suspected, /why CAUSE what speaks for it."
    return ""
