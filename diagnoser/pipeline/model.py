"""The last stage: a language model, where one is configured and can add something.

It never raises: whatever goes wrong, the rules' report stands and says why in one line.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from diagnoser.errors import DiagnoserError, ModelError
from diagnoser.fixes.patch import diff_of, relative
from diagnoser.pipeline.options import Bench, Options, Progress
from diagnoser.report.build import rules_report
from diagnoser.report.consulted import UNNAMED, Consulted, Suggestion
from diagnoser.report.work import Work, place_of
from diagnoser.rules.engine import Judged
from diagnoser.rules.registry import rule_named
from diagnoser.schema import Diagnosis, Edit, Fix, Grade, Location, Report

if TYPE_CHECKING:
    from diagnoser.llm.consultation import Consultation, Tried
    from diagnoser.llm.endpoint import Endpoint
    from diagnoser.llm.grounding import Grounded, Known
    from diagnoser.llm.redaction import Redactor
    from diagnoser.llm.shipment import Shipment

STAGE = "llm"
TITLE_CHARACTERS = 100
WORDS_CHARACTERS = 2_000


def consult(work: Work, options: Options, progress: Progress, bench: Bench | None = None) -> None:
    """Ask the model if it is to be asked; `bench` is what its change can be tried with."""
    if not wanted(work, options):
        return
    mark = time.monotonic()
    verified = work.seconds.get("verify", 0.0)
    try:
        work.consulted = _consult(work, options, progress, bench)
    except ModelError as error:
        work.consulted = Consulted(f"the model was not used: {error}")
    except Exception as error:
        failed = str(error) if isinstance(error, DiagnoserError) else type(error).__name__
        work.consulted = Consulted(f"the model was not used: diagnoser failed at it ({failed})")
    tried = work.seconds.get("verify", 0.0) - verified
    work.seconds["llm"] = time.monotonic() - mark - tried


def wanted(work: Work, options: Options) -> bool:
    """Whether the model is asked: always with `llm = true`, else where it can add something.

    That is where no cause is settled, or the first settled one has no exact change, or one that
    did not hold.
    """
    settings = options.settings
    if settings is None or settings.llm is False or STAGE not in options.stages:
        return False
    if settings.llm:
        return True
    settled = work.verdict.settled
    if not settled or work.fix is None or work.fixed != settled[0].rule.slug:
        return True
    return work.fix.verified in ("symptom-remains", "broke-script")


def shipment_of(work: Work, options: Options) -> Shipment:
    """What would be sent about this work.

    Raises:
        ModelError: the endpoint's address or the model's name cannot be used.
    """
    from diagnoser.llm.endpoint import endpoint_of
    from diagnoser.llm.redaction import Redactor
    from diagnoser.settings import Settings

    settings = options.settings or Settings()
    return _pack(
        work, rules_report(work, background=True), endpoint_of(settings), options, Redactor()
    )


def _consult(
    work: Work, options: Options, progress: Progress, bench: Bench | None
) -> Consulted | None:
    from diagnoser.llm.client import Client
    from diagnoser.llm.consent import check_agreed, check_somebody_can_agree
    from diagnoser.llm.consultation import consult
    from diagnoser.llm.endpoint import api_key, endpoint_of
    from diagnoser.llm.memory import user_memory
    from diagnoser.llm.redaction import Redactor
    from diagnoser.llm.transport import Transport

    settings = options.settings
    if settings is None:
        return None
    endpoint = endpoint_of(settings)
    key = api_key(endpoint)
    redactor, memory = Redactor(), user_memory()
    check_somebody_can_agree(endpoint, settings, memory, options.agree)
    report = rules_report(work, background=True)
    shipment = _pack(work, report, endpoint, options, redactor)
    check_agreed(shipment, settings, memory, options.agree)
    client = Client(Transport(endpoint, key), memory, progress)
    began = time.monotonic()
    found = consult(
        shipment, _known(work, report), client, lambda g: _try(work, bench, g, began), redactor
    )
    return _consulted(work, report, found)


def _pack(
    work: Work, report: Report, endpoint: Endpoint, options: Options, redactor: Redactor
) -> Shipment:
    from diagnoser.llm.material import gather
    from diagnoser.llm.prompts import render
    from diagnoser.llm.shipment import pack
    from diagnoser.llm.wire import answer_schema
    from diagnoser.settings import Settings

    budget = (options.settings or Settings()).prompt_bytes
    material = gather(work, report, budget, redactor)
    messages = [("system", render("system")), ("user", render("diagnose", material=material))]
    names = [file.name for file in material.files]
    return pack(endpoint, messages, answer_schema(material.causes), names, redactor)


def _known(work: Work, report: Report) -> Known:
    from diagnoser.llm.grounding import Known
    from diagnoser.rules.registry import all_rules

    grades: dict[str, Grade] = {row.cause: row.grade for row in report.candidates}
    grades |= {entry.rule.slug: "refuted" for entry in _refuted(work)}
    return Known(
        evidence=frozenset(row.id for row in report.evidence),
        causes=frozenset(rule.slug for rule in all_rules()),
        grades=grades,
        sources=_own_sources(work),
        folder=work.folder,
        faulty=bool(work.verdict.settled),
    )


def _refuted(work: Work) -> list[Judged]:
    return [entry for entry in work.verdict.judged if entry.grade == "refuted"]


def _own_sources(work: Work) -> Mapping[str, str]:
    """The files that a change may touch: the user's own, below the target's folder."""
    root = work.folder.as_posix().rstrip("/") + "/"
    return {p: text for p, text in work.examination.sources.items() if p.startswith(root)}


def _try(work: Work, bench: Bench | None, grounded: Grounded, began: float) -> Tried:
    """Re-run the script with the change, without network; the model's time is not the budget's."""
    from diagnoser.fixes.verify import judge_change
    from diagnoser.llm.consultation import Tried
    from diagnoser.pipeline.stages import rerun

    edits = tuple(_relative(edit, work) for edit in grounded.edits)
    diff = diff_of(work.examination.sources, grounded.patched, work.folder) if edits else ""
    fix = Fix(summary=_short(grounded.answer.fix_summary), edits=edits, diff=diff)
    if not edits or bench is None or "verify" not in bench.options.stages:
        return Tried(fix)
    if work.fix is not None and work.fix.verified == "verified":
        return Tried(fix)
    mark = time.monotonic()
    extended = replace(bench, deadline=bench.deadline + mark - began)
    if extended.left() < work.seconds.get("probe", 0.0):
        return Tried(fix)
    cause = grounded.answer.cause
    bench.progress(f"re-run with the model's change for {cause}")
    after = rerun(extended, "model", grounded.patched, network=False)
    judged = judge_change(cause, (work.examination, work.verdict), after)
    work.seconds["verify"] = work.seconds.get("verify", 0.0) + time.monotonic() - mark
    return Tried(fix.model_copy(update=judged.fields), judged.note)


def _relative(edit: Edit, work: Work) -> Edit:
    return edit.model_copy(update={"file": relative(edit.file, work.folder)})


def _consulted(work: Work, report: Report, found: Consultation) -> Consulted:
    """What the report says of it."""
    grounded, fix, note = found.grounded, found.fix, found.note
    suggestion = None
    if grounded is not None and fix is not None:
        if work.fix is not None and work.fix.verified == "verified":
            note = note or "the model names the same cause; the verified change of the rules stands"
        else:
            suggestion = _suggestion(work, grounded, fix)
    return Consulted(note, found.model, found.prompt, found.tokens, suggestion)


def _suggestion(work: Work, grounded: Grounded, fix: Fix) -> Suggestion:
    answer = grounded.answer
    if fix.verified in ("symptom-remains", "broke-script"):
        # A change that was seen not to help is not offered.
        fix = Fix(summary="The model's change did not help, so none is offered")
    rule = rule_named(answer.cause)
    sentence = _short(answer.diagnosis)
    if not fix.summary:
        fix = fix.model_copy(update={"summary": rule.fix_summary if rule else "See the diagnosis"})
    return Suggestion(
        cause=answer.cause,
        title=rule.title if rule else sentence.partition(". ")[0][:TITLE_CHARACTERS],
        category=rule.category if rule else UNNAMED,
        level=rule.level if rule else 3,
        diagnosis=Diagnosis(
            diagnosis=sentence,
            evidence=tuple(dict.fromkeys(answer.evidence)),
            fix=fix,
            verification=_short(answer.verification),
            prevention=_short(answer.prevention),
            source="model",
        ),
        locations=_places(work, grounded),
    )


def _short(text: str) -> str:
    """A model's words on one line, not too many."""
    line = " ".join(text.split())
    return line if len(line) <= WORDS_CHARACTERS else f"{line[:WORDS_CHARACTERS]} …"


def _places(work: Work, grounded: Grounded) -> tuple[Location, ...]:
    """Where the model points, then where its change goes; only lines of the user's own files."""
    answer = grounded.answer
    pairs = [(e.file, e.line) for e in grounded.edits]
    if answer.file is not None and answer.line is not None:
        pairs.insert(0, ((work.folder / answer.file).as_posix(), answer.line))
    places: dict[tuple[str, int], Location] = {}
    for path, line in pairs:
        place = Location(file=path, line=max(line, 1))
        named = place_of(work, place)
        if path in work.examination.sources and named is not None and named.code:
            places.setdefault((path, line), named)
    return tuple(places.values())
