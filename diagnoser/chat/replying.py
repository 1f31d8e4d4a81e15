"""Offers and questions that diagnoser puts, and what the user replies to them. Pure."""

from __future__ import annotations

from dataclasses import replace

from diagnoser.chat import asking_back
from diagnoser.chat.intents import intent_of
from diagnoser.chat.reply import Step
from diagnoser.chat.session import Pending, Session
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import symptoms_in


def follow_up(session: Session, rules_left: tuple[str, ...]) -> tuple[str, Session]:
    """The question that splits the causes that are left, and the state in which it is open."""
    rules = [rule for rule in all_rules() if rule.slug in rules_left]
    splitter = asking_back.best_splitter(rules, session.asked_back)
    if splitter is None:
        return "", session
    asked = session.asked_back | {splitter.name}
    session = replace(session, asked_back=asked, pending=Pending("question", splitter.name))
    run = ' Or say "find out": I run it.' if session.has_target else ""
    return f"{splitter.text}{run}", session


def open_causes(session: Session) -> tuple[str, ...]:
    """Causes that are still possible, best first: not refuted, not doubted."""
    if session.last is None:
        return ()
    rows = session.last.report.candidates
    shown = [row.cause for row in rows if row.grade != "refuted"]
    return tuple(cause for cause in shown if cause not in session.doubted)


def reply_to_pending(session: Session, text: str) -> Step | None:
    """What the user's reply to an offer or a question leads to; None where it is no reply."""
    pending = session.pending
    free = session.waiting(None)
    if pending is None or "\n" in text:
        return None
    if pending.kind == "question":
        return _answer_to_question(free, pending.subject, text)
    if intent_of(text) in ("bye", "undo", "again", "show"):
        return None
    if asking_back.declines(text):
        return Step(free, 'All right. "what next" lists what can be done.')
    if asking_back.agrees(text) and not symptoms_in(text):
        command = f"/{pending.kind} {pending.subject}".strip()
        return Step(free, commands=(command,))
    return None


def _answer_to_question(session: Session, name: str, text: str) -> Step | None:
    splitter = asking_back.splitter_named(name)
    if splitter is None:
        return None
    if asking_back.is_unsure(text):
        if session.has_target:
            return Step(session, "Then I find out by running it.", commands=("/run",))
        return Step(session, "Then name the script: /target FILE. I find out by running it.")
    left = open_causes(session)
    rules = [rule for rule in all_rules() if rule.slug in left]
    aside = asking_back.set_aside(splitter, text, rules)
    if aside is None:
        return None
    session = replace(session, doubted=session.doubted | aside)
    left = open_causes(session)
    lines = [f"That leaves {len(left)} of {len(rules)}: {', '.join(left[:6]) or 'none of these'}."]
    question, session = follow_up(session, left)
    if question:
        lines.append(question)
    elif session.has_target:
        lines.append("A run tells which. Shall I run it?")
        session = session.waiting(Pending("run"))
    elif left:
        lines.append(
            f"/rules {left[0]} says how to check; with /target FILE I run it and find out."
        )
    return Step(session, "\n".join(lines))
