"""Free text -> intent -> answer or what is to be done. Pure: nothing is read, run or written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from diagnoser.chat import answers, fixes, naming
from diagnoser.chat.asking_back import is_unsure
from diagnoser.chat.intents import cannot, intent_of
from diagnoser.chat.reply import Step
from diagnoser.chat.replying import follow_up, open_causes, reply_to_pending
from diagnoser.chat.session import Pending, Session
from diagnoser.rules.registry import all_rules, rule_named
from diagnoser.rules.symptoms import symptoms_in

ORDER = (
    r"^\W*(please |can you |could you |i want you to )*(write|build|create|generate|make|plot|draw|"
    r"tune|optimi|download|install|deploy|train|send|tell)"
)
"""A sentence that gives an order, whatever else stands in it."""
UNDERSTOOD = (
    'I read symptoms ("the loss is NaN"), and questions about the answer: "why", "why not the '
    'learning rate", "how do I fix it", "what else", "what next", "show line 31", "I changed it, '
    'try again". /help lists the commands.'
)
YIELDING = frozenset({"why", "why-not", "fix", "next", "run", "experiment", "thanks", "else"})
"""Intents that give way to a symptom which the same sentence names for the first time."""
AT_ANY_TIME = frozenset({"bye", "thanks", "hello", "help", "undo", "show", "next", "run"})
"""Intents that make sense before there is an answer."""
LONG = 2_000
"""Characters from which a text is no sentence but a paste; lines are cut to it."""
LONGEST = 200_000
"""Characters of a paste that are read."""
SHORT = 8
"""Words of a sentence that asks for one thing; longer ones tell a story."""
DESCRIPTION = 4
"""Before there is an answer, so many words are taken for a description of the trouble."""
TARGET_WORDS = r"\b(use|take|it'?s|it is|script is|file is|target is|called|named|instead|run|in)\b"


def interpret(session: Session, text: str) -> Step:
    """What one line or paste of free text leads to."""
    text = _cut(text)
    if not text.strip():
        return Step(session)
    reply = reply_to_pending(session, text) if session.pending is not None else None
    if reply is not None:
        return reply
    session = session.waiting(None)
    if "\n" in text.strip() or len(text) > LONG:
        return Step(session.with_words(text), look=True)
    named = symptoms_in(text)
    fresh = set(named) - set(symptoms_in(" ".join(session.words)))
    intent = intent_of(text)
    refusal = cannot(text)
    short = len(text.split()) <= SHORT
    if refusal and (re.search(ORDER, text.lower()) or (short and not named)):
        return Step(session, refusal)
    elsewhere = _other_file(session, text, bool(named))
    if elsewhere is not None:
        return elsewhere
    if intent in YIELDING and fresh and not naming.slug_in(text):
        intent = ""
    told = len(text.split()) >= DESCRIPTION and bool(named or not short or not intent)
    if session.last is None and intent not in AT_ANY_TIME and told:
        return _description(session, text, bool(named))
    if intent:
        return STEPS[intent](session, text)
    if named:
        return Step(session.with_words(text), look=True)
    if is_unsure(text) and short:
        return _next(session, text)
    cause = _cause(session, text)
    if cause and session.last is not None:
        return _why_not(session, text)
    return Step(session, UNDERSTOOD, model=True)


def _cut(text: str) -> str:
    """A text without the middle of overlong lines (progress bars, encoded data), and of the whole.

    The end of a log says most, so more of it is kept.
    """
    half = LONG // 2
    short = "\n".join(
        line if len(line) <= LONG + 1 else f"{line[:half]} … {line[-half:]}"
        for line in text.split("\n")
    )
    if len(short) <= LONGEST:
        return short
    return f"{short[: LONGEST // 4]}\n…\n{short[-3 * LONGEST // 4 :]}"


def _description(session: Session, text: str, symptoms: bool) -> Step:
    """The trouble in the user's own words, which need not name a symptom of the table."""
    session = session.with_words(text)
    if session.has_target or symptoms:
        return Step(session, look=True)
    noted = "I noted that, but it names no symptom that I know. Which script is it? /target FILE"
    return Step(session, f"{noted}\n{UNDERSTOOD}", model=True)


def _other_file(session: Session, text: str, symptoms: bool) -> Step | None:
    """A sentence that names the script, or a log, to look at."""
    name = naming.file_in(text)
    if not name or naming.PLACE.search(text) or intent_of(text) in ("show", "again", "why"):
        return None
    if not name.endswith(".py"):
        return Step(session, commands=(f"/log {name}",)) if len(text.split()) <= SHORT else None
    known = session.last.sources if session.last is not None else {}
    alone = text.strip().strip("\"'.`") == name
    if naming.user_file(name, known) or name == session.target:
        return None
    if session.target is not None and not alone and not re.search(TARGET_WORDS, text.lower()):
        return None
    if symptoms:
        return Step(session.with_words(text), commands=(f"/target {name}",), look=True)
    return Step(session, commands=(f"/target {name}",))


def _cause(session: Session, text: str) -> str:
    ranked = [e.rule.slug for e in session.last.work.verdict.judged] if session.last else []
    return naming.cause_in(text, ranked)


def _why(session: Session, text: str) -> Step:
    answer = fixes.need_answer(session)
    cause = _cause(session, text) or session.cause
    if not cause:
        return Step(session, answers.candidates_text(answer, session.doubted))
    return Step(session, answers.why_text(answer, cause))


def _why_not(session: Session, text: str) -> Step:
    answer = fixes.need_answer(session)
    cause = _cause(session, text)
    if not cause:
        near = ", ".join(open_causes(session)[:3])
        more = f" The candidates are {near}." if near else ""
        return Step(session, f"I know no cause of that name.{more} /rules lists all.", model=True)
    return Step(session, answers.why_not_text(answer, cause))


def _else(session: Session, text: str) -> Step:
    return Step(
        session,
        answers.candidates_text(fixes.need_answer(session), session.doubted, others=True),
    )


def _next(session: Session, text: str) -> Step:
    answer, fix = session.last, fixes.fix_of(session)
    if answer is None:
        way = "/run finds out." if session.has_target else "Then name the script: /target FILE."
        return Step(session, f'Say what you see ("the loss is NaN"). {way}')
    if session.written:
        return Step(session, "The change is written. /verify runs the script as it stands now.")
    if fix is not None and fix.verified == "verified":
        return Step(session, "The change is verified. /diff shows it, /apply writes it.")
    if fix is not None and fix.edits and fix.verified == "not-run":
        waiting = session.waiting(Pending("verify"))
        return Step(
            waiting, "There is an exact change, not run yet. Shall I run it with the change?"
        )
    if session.cause:
        return Step(session, fixes.pattern_text(session.cause))
    question, asking = follow_up(session, open_causes(session))
    if question:
        return Step(asking, question)
    if not session.has_target:
        return Step(session, "Name the script: /target FILE. I find out by running it.")
    tried = "/run looks again; /candidates lists what is suspected; `--budget` gives a run longer."
    return Step(session, tried)


def _experiment(session: Session, text: str) -> Step:
    cause = _cause(session, text)
    rule = rule_named(cause) if cause else None
    if rule is not None and rule.trial is not None:
        return Step(session, commands=(f"/experiment {rule.trial.intervention}",))
    names = sorted({r.trial.intervention for r in all_rules() if r.trial is not None})
    return Step(session, f"I can try {', '.join(names)}: /experiment NAME.", model=True)


def _show(session: Session, text: str) -> Step:
    name = naming.evidence_in(text)
    if name:
        return Step(session, commands=(f"/evidence {name}",))
    place = naming.place_in(text)
    if place is not None and place.line:
        file = f"{place.file}:" if place.file else ""
        return Step(session, commands=(f"/show {file}{place.line}-{place.end}",))
    if place is not None:
        command = "/show" if place.file.endswith(".py") else "/log"
        return Step(session, commands=(f"{command} {place.file}",))
    for word, command in SHOWN.items():
        if word in text.lower():
            return Step(session, commands=(command,))
    return Step(session, "I can show " + ", ".join(sorted(set(SHOWN.values()))) + ".")


def _seconds(session: Session, text: str) -> Step:
    seconds = fixes.need_answer(session).report.seconds
    parts = [f"{name} {value:.1f} s" for name, value in seconds if value >= 0.05]
    return Step(session, ", ".join(parts) or "Nothing was run.")


def _again(session: Session, text: str) -> Step:
    if symptoms_in(text):
        session = session.with_words(text)
    return Step(session, commands=("/run",))


def _say(text: str, *, leave: bool = False) -> Callable[[Session, str], Step]:
    return lambda session, _: Step(session, text, leave=leave)


def _do(command: str) -> Callable[[Session, str], Step]:
    return lambda session, _: Step(session, commands=(command,))


def _printed(session: Session, text: str) -> Step:
    return Step(session, answers.printed_text(fixes.need_answer(session)))


SHOWN: Mapping[str, str] = {
    "evidence": "/evidence",
    "candidate": "/candidates",
    "cause": "/candidates",
    "fix": "/fix",
    "script": "/show",
    "line": "/show",
    "code": "/show",
    "file": "/show",
    "rules": "/rules",
    "prompt": "/prompt",
}
STEPS: Mapping[str, Callable[[Session, str], Step]] = {
    "bye": _say("Goodbye.", leave=True),
    "thanks": _say("You are welcome. /quit leaves."),
    "hello": _say(f"Hello. {UNDERSTOOD}"),
    "help": _do("/help"),
    "again": _again,
    "undo": _do("/undo"),
    "diff": _do("/diff"),
    "apply": _do("/apply"),
    "verify": _do("/verify"),
    "fix": _do("/fix"),
    "show": _show,
    "else": _else,
    "next": _next,
    "printed": _printed,
    "seconds": _seconds,
    "why-not": _why_not,
    "why": _why,
    "run": _do("/run"),
    "experiment": _experiment,
}
