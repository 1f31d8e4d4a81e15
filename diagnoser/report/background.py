"""Facts that no rule cites and that a model may: symptoms, the end of the run, what it printed."""

from __future__ import annotations

from diagnoser.report.work import Work
from diagnoser.rules.base import Fact

LEVEL = 1
MAX_PRINTED = 300


def background_facts(work: Work) -> list[Fact]:
    """What was asked, what was seen of each symptom, the loss, the exception, and how it ended."""
    examination = work.examination
    facts = [
        Fact(f"symptom.{row.slug}", f"Symptom {row.slug}: {row.present}, {row.note}")
        for row in work.verdict.symptoms
        if row.note and row.present != "not-seen"
    ]
    if examination.asked:
        facts.append(Fact("question.words", f"The user describes: {', '.join(examination.asked)}"))
    elif examination.words.strip():
        facts.append(Fact("question.words", "The user's words name no symptom of the table"))
    raised = examination.last("exception.raised")
    if raised is not None and raised.data.get("type"):
        message = " ".join(str(raised.data.get("message", "")).split())[:MAX_PRINTED]
        facts.append(Fact("exception.raised", f"{raised.data['type']}: {message}", raised.at))
    curve = examination.curve
    if curve is not None:
        text = (
            f"The loss went from {curve.edge(end=False):.4g} to {curve.edge(end=True):.4g} in "
            f"{len(curve.values)} recorded values"
        )
        facts.append(Fact("loss.value", text, curve.at))
    if work.runs:
        ended = work.runs[0]
        code = "" if ended.exit is None else f" with exit code {ended.exit}"
        text = f"The run {ended.stopped}{code} after {examination.updates} optimizer updates"
        facts.append(Fact("run.end", text))
        printed = [line.strip() for line in examination.stdout.splitlines() if line.strip()]
        if printed:
            facts.append(Fact("run.printed", f"It printed last: {printed[-1][:MAX_PRINTED]}"))
    return facts
