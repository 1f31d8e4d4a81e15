"""The exact command that is worth running next."""

from __future__ import annotations

import shlex

from diagnoser.report.consulted import UNNAMED
from diagnoser.report.literal import literal
from diagnoser.schema import Report

MAX_SYMPTOM = 300
"""A longer sentence, or a pasted traceback, is left out of the command."""
LONGER_BUDGET = "300"


def _documented(report: Report) -> bool:
    return report.candidates[0].cause != UNNAMED


def next_command(report: Report) -> str:
    """For a fault its documentation; else the question again with more to go on."""
    question = report.question
    if report.status == "diagnosed" and report.candidates and _documented(report):
        return shlex.join(["diagnoser", "rules", literal(report.candidates[0].cause)])
    if question.target is None and not question.command:
        return "diagnoser rules --table"
    symptom = question.symptom
    if len(symptom) > MAX_SYMPTOM or "\n" in symptom:
        symptom = ""
    words = ["diagnoser", "ask", symptom]
    if question.target is not None:
        words.append(question.target)
    if report.status != "not-run":
        words += ["--thorough", "--budget", LONGER_BUDGET]
    trailing = question.command if question.target is None else question.args
    return literal(shlex.join([*words, "--", *trailing] if trailing else words))
