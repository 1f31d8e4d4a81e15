"""The table of commands, and how one line is carried out."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from diagnoser.chat import actions, answers, export, fixes, naming
from diagnoser.chat.desk import Desk
from diagnoser.chat.dialogue import interpret
from diagnoser.chat.reply import Reply, Step
from diagnoser.chat.session import Pending, Session
from diagnoser.errors import InputError
from diagnoser.report.literal import literal, one_line

Handler = Callable[[Desk, Session, str], Reply]


@dataclass(frozen=True)
class Command:
    """One command: its argument as help writes it, its help, and its function."""

    argument: str
    help: str
    call: Handler


def answer_line(desk: Desk, session: Session, line: str) -> Reply:
    """Carry out one line, a command or free text; raises DiagnoserError."""
    text = line.strip()
    if _is_command(text):
        reply = carry_out(desk, session, text)
    else:
        reply = _free(desk, interpret(session, line.strip("\n")), text)
    return replace(reply, session=reply.session.heard(line, reply.text))


def carry_out(desk: Desk, session: Session, line: str) -> Reply:
    """Carry out one command; raises InputError for an unknown one, with the nearest."""
    name, _, argument = line.strip().partition(" ")
    command = COMMANDS.get(name.lower())
    if command is None:
        near = naming.did_you_mean(name.lower(), list(COMMANDS))
        raise InputError(f"there is no command {name}", f"{near}/help lists all.")
    return command.call(desk, session, argument.strip())


def _is_command(text: str) -> bool:
    """A command is one line that starts with a slash; a path (`/home/me/train.py`) is none."""
    first = text.split(maxsplit=1)[0] if text else ""
    return first.startswith("/") and "/" not in first[1:] and "\n" not in text


def _free(desk: Desk, step: Step, said: str) -> Reply:
    """Say what a sentence leads to, and do it."""
    session, parts = step.session, [step.text]
    if step.model:
        answered = desk.talk(session, said)
        if answered.text:
            return Reply(answered.text, session)
        parts.insert(0, answered.note)
    for line in step.commands:
        reply = carry_out(desk, session, line)
        session = reply.session
        parts.append(reply.text)
    if step.look:
        reply = actions.look(desk, session.waiting(None))
        session = reply.session
        parts.append(reply.text)
    return Reply("\n".join(part for part in parts if part), session, step.leave)


def _help(desk: Desk, session: Session, argument: str) -> Reply:
    if argument:
        name = "/" + argument.lstrip("/")
        if name not in COMMANDS:
            raise InputError(
                f"there is no command {name}", naming.did_you_mean(name, list(COMMANDS))
            )
        entry = COMMANDS[name]
        return Reply(f"{name} {entry.argument}".rstrip() + f"\n  {entry.help}", session)
    heads = {name: f"{name} {entry.argument}".rstrip() for name, entry in COMMANDS.items()}
    width = max(len(head) for head in heads.values())
    rows = [f"  {heads[name].ljust(width)}  {entry.help}" for name, entry in COMMANDS.items()]
    head = "Say what you see in your own words, or give a command:"
    tail = "Ctrl-C ends what runs, Ctrl-D leaves. Several lines may be pasted at once."
    return Reply("\n".join([head, *rows, tail]), session)


def _target(desk: Desk, session: Session, argument: str) -> Reply:
    from diagnoser.intake.target import find_target
    from diagnoser.schema import Question

    words = _split(argument)
    if not words:
        now = literal(session.name) if session.has_target else "none"
        return Reply(f"Target: {now}. /target FILE [ARGS...] sets it.", session)
    if words[0] == "--":
        target, rest = None, tuple(words[1:])
    else:
        target = str(Path(words[0]).expanduser())
        rest = tuple(words[2:] if words[1:2] == ["--"] else words[1:])
    if target == "-" or (target is None and not rest):
        raise InputError("that is no target here", "/target FILE names a script.")
    question = Question(target=target, args=rest if target else (), command=() if target else rest)
    if find_target(question, desk.options.cwd).kind == "text":
        raise InputError(f"{target} is a text", f"/log {target} reads it.")
    session = session.with_target(target, rest)
    desk.warm_up()
    text = f"Target: {literal(session.name)}."
    if session.words:
        return Reply(f"{text} Shall I run it?", session.waiting(Pending("run")))
    return Reply(f"{text} Say what you see, or /run.", session)


def _run(desk: Desk, session: Session, argument: str) -> Reply:
    if argument:
        raise InputError("/run takes nothing", "/target FILE ARGS... sets what is run.")
    return actions.run(desk, session)


def _ask(desk: Desk, session: Session, argument: str) -> Reply:
    return actions.look(desk, session.about(argument))


def _why(desk: Desk, session: Session, argument: str) -> Reply:
    answer = fixes.need_answer(session)
    cause = argument or fixes.need_cause(session)
    return Reply(answers.why_text(answer, cause), session)


def _evidence(desk: Desk, session: Session, argument: str) -> Reply:
    return Reply(answers.evidence_text(fixes.need_answer(session), argument), session)


def _candidates(desk: Desk, session: Session, argument: str) -> Reply:
    return Reply(answers.candidates_text(fixes.need_answer(session), session.doubted), session)


def _fix(desk: Desk, session: Session, argument: str) -> Reply:
    if argument:
        cause = fixes.cause_numbered(fixes.need_answer(session), argument)
        session = replace(session, chosen=cause)
    return Reply(fixes.fix_text(session), session)


def _diff(desk: Desk, session: Session, argument: str) -> Reply:
    cause, fix = fixes.need_cause(session), fixes.fix_of(session)
    if fix is None or not fix.diff:
        raise InputError(f"no exact edit was worked out for {cause}", "/fix shows the pattern.")
    return Reply(literal(fix.diff).rstrip("\n"), session)


def _show(desk: Desk, session: Session, argument: str) -> Reply:
    answer = session.last
    sources = dict(answer.sources) if answer is not None else {}
    own = str(Path(session.target).resolve()) if session.target is not None else ""
    for path in {*sources, *([own] if own else [])}:
        text = desk.read(path)
        if text is not None:
            sources[path] = text
    place = naming.place_in(argument) or naming.Place("", 0, 0)
    if argument.replace("-", "").isdigit():
        first, _, last = argument.partition("-")
        place = naming.Place("", int(first), int(last or first))
    marked = []
    if answer is not None and answer.first is not None:
        marked = [(str(answer.work.folder / p.file), p.line) for p in answer.first.locations]
    fallback = own or next(iter(sources), "")
    text = answers.lines_text(sources, place, fallback, marked)
    if answer is not None and desk.changed_files(answer.work):
        text += "\n(as it stands now; it has changed since the run)"
    return Reply(text, session)


def _verify(desk: Desk, session: Session, argument: str) -> Reply:
    return actions.verify(desk, session)


def _rules(desk: Desk, session: Session, argument: str) -> Reply:
    from diagnoser.rules.registry import all_rules, rule_named

    if not argument:
        width = max(len(rule.slug) for rule in all_rules())
        rows = [f"{rule.slug.ljust(width)}  {rule.title}" for rule in all_rules()]
        return Reply("\n".join(rows), session)
    rule = rule_named(argument)
    if rule is None:
        near = naming.did_you_mean(argument, [entry.slug for entry in all_rules()])
        raise InputError(f"there is no cause {argument!r}", f"{near}/rules lists all.")
    return Reply(f"{rule.slug}: {rule.title}\n\n{rule.documentation()}", session)


def _model(desk: Desk, session: Session, argument: str) -> Reply:
    return Reply(desk.model.described(session), session)


def _llm(desk: Desk, session: Session, argument: str) -> Reply:
    if argument not in ("on", "off"):
        raise InputError("/llm takes on or off", "/model says what is configured.")
    session = replace(session, model=argument == "on")
    return Reply(desk.model.described(session), session)


def _prompt(desk: Desk, session: Session, argument: str) -> Reply:
    return Reply(desk.model.prompt(session), session)


def _save(desk: Desk, session: Session, argument: str) -> Reply:
    path = export.new_file(argument, "/save")
    export.write_new(path, export.transcript(session))
    return Reply(f"The conversation is in {one_line(str(path))}.", session)


def _export(desk: Desk, session: Session, argument: str) -> Reply:
    form, _, name = argument.partition(" ")
    if form not in export.FORMATS:
        raise InputError(f"there is no format {form!r}", f"/export {'|'.join(export.FORMATS)} FILE")
    path = export.new_file(name.strip(), f"/export {form}")
    export.write_new(path, export.exported(fixes.need_answer(session).report, form))
    return Reply(f"The answer is in {one_line(str(path))}.", session)


def _quit(desk: Desk, session: Session, argument: str) -> Reply:
    return Reply("", session, leave=True)


def _split(argument: str) -> list[str]:
    try:
        return shlex.split(argument)
    except ValueError as error:
        raise InputError(
            f"cannot read {argument!r}: {error}", "Close the quotation mark."
        ) from error


COMMANDS: Mapping[str, Command] = {
    "/help": Command("[COMMAND]", "list the commands", _help),
    "/target": Command("FILE [ARGS...]", "name the script; `-- COMMAND` names a command", _target),
    "/run": Command("", "run it under the probes and compare with the run before", _run),
    "/ask": Command("TEXT", "ask a new question", _ask),
    "/why": Command("[CAUSE]", "what speaks for and against a cause", _why),
    "/evidence": Command("[ID]", "list the evidence, or show one piece with its data", _evidence),
    "/candidates": Command("", "list the causes that are possible, best first", _candidates),
    "/experiment": Command("NAME", "try one change on the script", actions.experiment),
    "/fix": Command("[N]", "show the change for the cause, or for the N-th candidate", _fix),
    "/diff": Command("", "show the change as a diff", _diff),
    "/show": Command("[FILE:LINE]", "show lines of your files", _show),
    "/apply": Command("[--force]", "write the verified change into the file", actions.apply),
    "/undo": Command("[BACKUP]", "put back what the change replaced", actions.undo),
    "/verify": Command("", "run the script with the change, or as it stands now", _verify),
    "/log": Command("FILE", "read a log or a traceback", actions.log),
    "/rules": Command("[SLUG]", "list the causes, or print the page of one", _rules),
    "/model": Command("", "say which language model may be asked", _model),
    "/llm": Command("on|off", "allow or forbid to ask it", _llm),
    "/prompt": Command("", "show exactly what it would be sent", _prompt),
    "/save": Command("FILE", "write the conversation to a new file", _save),
    "/export": Command("md|json FILE", "write the last answer to a new file", _export),
    "/quit": Command("", "leave; so does Ctrl-D", _quit),
}
