"""What is known before anything runs, and what a run adds to it."""

from __future__ import annotations

from dataclasses import replace

from diagnoser.intake.log_curve import losses_in
from diagnoser.intake.sources import read_sources
from diagnoser.intake.target import Target
from diagnoser.intake.traceback import exception_in, words_as_message
from diagnoser.pipeline.options import Options
from diagnoser.rules.examination import Examination, Record, parse_records
from diagnoser.rules.symptoms import symptoms_in
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.schema import Question


def read_words(question: Question, target: Target) -> Examination:
    """Everything that is known before anything runs."""
    text = "\n".join(part for part in (question.symptom, target.text) if part)
    found: tuple[Record, ...] = ()
    if target.kind in ("words", "text"):
        found = (exception_in(text) or words_as_message(text), *losses_in(text))
    sources: dict[str, str] = {}
    if target.kind == "script" and target.path is not None:
        sources = read_sources(target.path)
    return Examination(
        records=found,
        words=text,
        asked=symptoms_in(question.symptom if target.kind != "text" else text),
        sources=sources,
    )


def request_of(question: Question, target: Target, options: Options) -> RunRequest:
    """The user's own script or command, unchanged, under the probes."""
    seam: dict[str, object] = {"steps": options.steps}
    if options.seed is not None:
        seam["seed"] = options.seed
    return RunRequest(
        role="probe",
        name="probe",
        script=target.path if target.kind == "script" else None,
        args=tuple(question.args),
        command=tuple(question.command) if target.kind == "command" else (),
        cwd=options.cwd,
        env=dict(options.env),
        seam=seam,
    )


def with_run(examination: Examination, outcome: RunOutcome) -> Examination:
    """The examination with the records and the end of one run in place of an earlier one's."""
    records = parse_records(outcome.records)
    environment: dict[str, object] = {}
    for record in records:
        if record.kind in ("run.start", "environment.versions"):
            environment.update(record.data)
    return replace(
        examination,
        records=records,
        exit=outcome.exit,
        stopped=outcome.stopped,
        ran=any(record.kind == "run.start" for record in records),
        stdout=outcome.stdout,
        stderr=outcome.stderr,
        environment=environment,
    )
