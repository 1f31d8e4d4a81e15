"""More words against the examination that is there: judged again, nothing is run."""

from __future__ import annotations

from dataclasses import replace

from diagnoser.chat.session import Answer, Session
from diagnoser.report.build import build_report
from diagnoser.report.work import Work
from diagnoser.rules.engine import Judged, judge, without
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import symptoms_in
from diagnoser.schema import Question


def question_of(session: Session) -> Question:
    """The conversation's present question."""
    return Question(
        symptom=spoken(session.words),
        target=session.target,
        args=session.args,
        command=session.command,
    )


def spoken(words: tuple[str, ...]) -> str:
    """Several sentences as one text."""
    return "\n".join(words) if any("\n" in word for word in words) else ". ".join(words)


def rejudged(answer: Answer, question: Question) -> Answer:
    """The same measurements under another question."""
    work = answer.work
    examination = replace(
        work.examination, words=question.symptom, asked=symptoms_in(question.symptom)
    )
    verdict = judge(examination, all_rules())
    refuted = {entry.rule.slug for entry in work.verdict.judged if entry.grade == "refuted"}
    if work.fixed in refuted:
        verdict = without(verdict, work.fixed)
    again: Work = replace(work, question=question, examination=examination, verdict=verdict)
    return Answer(question, again, build_report(again))


def untried(answer: Answer) -> tuple[Judged, ...]:
    """Candidates that an experiment could settle and none has tried."""
    from diagnoser.experiments.plan import candidates_to_try

    examination = answer.work.examination
    tried = {arm.intervention for arm in examination.arms}
    waiting = candidates_to_try(answer.work.verdict, (), thorough=False)
    return tuple(
        entry
        for entry in waiting
        if entry.rule.trial is not None
        and entry.rule.trial.intervention not in tried
        and entry.grade == "suspected"
    )


def settles(answer: Answer) -> bool:
    """Whether the run so far answers the question: no other run would tell more."""
    return answer.report.status == "diagnosed" or (
        answer.report.status == "healthy" and not untried(answer)
    )
