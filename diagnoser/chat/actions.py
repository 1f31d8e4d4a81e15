"""Commands that run something, or write something; each gives a reply and the state after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from diagnoser.chat import compare, fixes, rejudge, render
from diagnoser.chat.desk import Desk
from diagnoser.chat.reply import Reply
from diagnoser.chat.replying import follow_up, open_causes
from diagnoser.chat.session import Answer, Pending, Session
from diagnoser.errors import InputError
from diagnoser.fixes.apply import apply_fix, last_applied
from diagnoser.fixes.apply import undo as take_back
from diagnoser.fixes.patch import relative
from diagnoser.report.build import build_report
from diagnoser.report.literal import literal
from diagnoser.report.work import Work
from diagnoser.schema import Question


def look(desk: Desk, session: Session) -> Reply:
    """Answer the words so far: from the run that is there where that suffices, else by a run."""
    last = session.last
    if last is None or not last.ran or last.work.question.target != session.target:
        return run(desk, session)
    if desk.changed_files(last.work):
        return run(desk, session)
    again = rejudge.rejudged(last, rejudge.question_of(session))
    text = render.again_text(last, again, session, color=desk.color)
    after = session.answered(again)
    waiting = rejudge.untried(again)
    if rejudge.settles(again) or not waiting:
        return _with_question(after, text) if not again.stated else Reply(text, after)
    first = waiting[0]
    trial = first.rule.trial
    if trial is None:
        return Reply(text, after)
    offer = (
        f"The run so far does not settle {first.rule.slug}. Shall I try {trial.intervention} on it?"
    )
    return Reply(f"{text}\n{offer}", after.waiting(Pending("experiment", trial.intervention)))


def run(desk: Desk, session: Session) -> Reply:
    """Run the target (or read the words alone) and say what was found, against the run before."""
    if not session.has_target and not session.words:
        raise InputError("there is nothing to run", "/target FILE names the script.")
    before = session.last
    work = desk.examine(rejudge.question_of(session), session)
    answer = Answer(work.question, work, build_report(work))
    after = replace(session.answered(answer), written=False)
    parts = [render.full_text(answer, color=desk.color)]
    if before is not None and before.ran and answer.ran:
        parts.append(compare.comparison(before, answer))
    text = "\n\n".join(parts)
    if answer.stated and answer.ran:
        return Reply(f"{text}\n\n{render.next_steps(after)}".rstrip(), after)
    return _with_question(after, text)


def _with_question(session: Session, text: str) -> Reply:
    """Ask back where one question would halve the candidates; without a script ask for it."""
    question, asking = follow_up(session, open_causes(session))
    if question:
        return Reply(f"{text}\n\n{question}", asking)
    if not session.has_target and session.last is not None and not session.last.ran:
        hint = "With /target FILE I run your script and find out."
        return Reply(f"{text}\n\n{hint}", session)
    return Reply(f"{text}\n\n{render.next_steps(session)}".rstrip(), session)


def log(desk: Desk, session: Session, name: str) -> Reply:
    """Read a log or a traceback; the target stays what it is."""
    if not name:
        raise InputError("/log needs a file", "For example: /log run.log")
    path = Path(name).expanduser()
    if path.suffix == ".py":
        raise InputError(f"{name} is a script", f"/target {name} makes it the target.")
    question = Question(symptom=rejudge.spoken(session.words), target=str(path))
    work = desk.examine(question, session)
    answer = Answer(question, work, build_report(work))
    after = session.answered(answer)
    text = render.full_text(answer, color=desk.color)
    return Reply(f"{text}\n\n{render.next_steps(after)}".rstrip(), after)


def experiment(desk: Desk, session: Session, name: str) -> Reply:
    """Try one intervention on the script and say what it did."""
    from diagnoser.chat.answers import why_text
    from diagnoser.chat.naming import did_you_mean

    answer = _need_run(session)
    wanted = name.strip().replace("-", "_")
    judged = answer.work.verdict.judged
    known = {entry.rule.trial.intervention: entry for entry in reversed(judged) if entry.rule.trial}
    named = {entry.rule.slug.replace("-", "_"): entry for entry in judged if entry.rule.trial}
    entry = known.get(wanted) or named.get(wanted)
    if entry is None:
        listed = f"There are: {', '.join(sorted(known))}."
        raise InputError(
            f"there is no experiment {name!r}" if name else "/experiment needs a name",
            did_you_mean(wanted, [*known, *named]) + listed,
        )
    tried = len(answer.work.examination.arms)
    work = desk.experiment(answer.work, entry)
    after = session.answered(Answer(answer.question, work, build_report(work)))
    if len(work.examination.arms) == tried:
        text = "Nothing was tried: the run gave no strength to try, or the time did not suffice."
        return Reply(text, after)
    return Reply(why_text(after.answers[-1], entry.rule.slug), after)


def verify(desk: Desk, session: Session) -> Reply:
    """Run the script with the change laid over it; after /apply, as it stands now."""
    answer = _need_run(session)
    if session.written or desk.changed_files(answer.work):
        return run(desk, session)
    cause = fixes.need_cause(session)
    proposal = fixes.proposal_for(answer, cause)
    if proposal is None:
        return Reply(fixes.fix_text(session), session)
    work = desk.verify(answer.work, proposal)
    after = session.answered(Answer(answer.question, work, build_report(work)))
    after = replace(after, chosen=cause)
    return Reply(fixes.fix_text(after), after)


def apply(desk: Desk, session: Session, argument: str) -> Reply:
    """Write the verified change into the user's file, with a backup."""
    if argument not in ("", "--force"):
        raise InputError(f"/apply takes no {argument!r}", "Only --force, for what is not verified.")
    answer, cause = fixes.need_answer(session), fixes.need_cause(session)
    if session.written:
        raise InputError("the change is written already", "/undo takes it back.")
    fix = fixes.fix_of(session)
    if fix is None or not fix.edits:
        raise InputError(
            f"no exact edit was worked out for {cause}", "/fix shows the pattern to write by hand."
        )
    done = apply_fix(fix, answer.sources, force=argument == "--force", backups=desk.backups)
    text = f"Written: {_names(answer.work, done.files)}. What stood there is kept as {done.name}."
    return Reply(
        f"{text}\nUndo with /undo. /verify runs the script as it stands now.",
        session.applying(done.name),
    )


def undo(desk: Desk, session: Session, name: str) -> Reply:
    """Put back what the last change replaced, byte for byte."""
    target = [Path(session.target)] if session.target is not None else []
    files = [Path(path) for path in session.last.sources] if session.last is not None else []
    latest = session.applied[-1] if session.applied else ""
    wanted = name or latest or last_applied([*files, *target], backups=desk.backups)
    if not wanted:
        raise InputError(
            "no change was written, so there is none to take back", "/apply writes one."
        )
    done = take_back(wanted, backups=desk.backups)
    names = ", ".join(literal(str(path)) for path in done.files)
    if session.last is not None:
        names = _names(session.last.work, done.files)
    return Reply(f"As before, byte for byte: {names}.", session.undone(done.name))


def _need_run(session: Session) -> Answer:
    answer = fixes.need_answer(session)
    if not answer.ran:
        raise InputError("nothing has run yet", "/target FILE names the script, /run runs it.")
    return answer


def _names(work: Work, files: tuple[Path, ...]) -> str:
    return ", ".join(literal(relative(str(path), work.folder)) for path in files)
