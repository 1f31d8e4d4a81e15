"""The figures of a suite as plain text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from diagnoser import __version__
from diagnoser.evaluate.cases import Case
from diagnoser.evaluate.judging import Answer, first_location, said_right
from diagnoser.evaluate.scoring import Miss, Rate, Score
from diagnoser.report.literal import one_line

ROWS: tuple[tuple[str, Callable[[Score], Rate | float | None]], ...] = (
    ("pairs", lambda score: score.pairs),
    ("top-1, said", lambda score: score.top1),
    ("top-1, plain", lambda score: score.top1_plain),
    ("top-3", lambda score: score.top3),
    ("blind top-1", lambda score: score.blind),
    ("mean reciprocal rank", lambda score: score.reciprocal_rank),
    ("right line (within 2)", lambda score: score.right_line),
    ("all faults, recall", lambda score: score.faults_recall),
    ("  in multi-fault cases", lambda score: score.multi_fault_recall),
    ("all faults, precision", lambda score: score.faults_precision),
    ("false alarms", lambda score: score.false_alarms),
    ("fixes offered", lambda score: score.fixes_offered),
    ("fixes verified", lambda score: score.fixes_verified),
    ("calibration error", lambda score: score.calibration_error),
    ("seconds, median", lambda score: score.seconds_median),
    ("seconds, 95th percentile", lambda score: score.seconds_p95),
)


def to_text(scores: Mapping[str, Score], skipped: Sequence[Case]) -> str:
    """A column for each set of stages, then what was missed, by name."""
    parts = [_table(scores)]
    for stages, score in scores.items():
        title = f" ({stages})" if len(scores) > 1 else ""
        parts += [
            _section(f"Missed{title}", [_miss(miss) for miss in score.misses]),
            _section(f"False alarms{title}", [_miss(miss) for miss in score.alarms]),
            _section(f"Wrong line{title}", [_miss(miss) for miss in score.wrong_lines]),
            _section(
                f"Unscored, our own failures{title}",
                [f"{name}: {one_line(error)}" for name, error in score.unscored],
            ),
            _section(
                f"Confusion{title}",
                [
                    f"{wanted} -> {said}: {count}"
                    for wanted, said, count in score.confusion
                    if wanted != said
                ],
            ),
        ]
    parts.append(
        _section("Skipped", [f"{case.name}: needs {', '.join(case.missing)}" for case in skipped])
    )
    return "\n".join(part for part in parts if part)


def _table(scores: Mapping[str, Score]) -> str:
    cells = [["", *scores], ["cases", *(str(score.cases) for score in scores.values())]]
    cells += [[name, *(_figure(read(score)) for score in scores.values())] for name, read in ROWS]
    cells.append(["unscored", *(str(len(score.unscored)) for score in scores.values())])
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    return "\n".join(lines) + "\n"


def _figure(value: Rate | float | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, Rate):
        return "-" if value.value is None else f"{value.hits}/{value.of} ({value.value:.0%})"
    return f"{value:.3f}"


def _section(title: str, lines: Sequence[str]) -> str:
    return (
        "\n".join([f"{title} ({len(lines)})", *(f"  {line}" for line in lines), ""])
        if lines
        else ""
    )


def _miss(miss: Miss) -> str:
    status = f" ({miss.status})" if miss.status else ""
    return one_line(f"{miss.case}: {miss.wanted}, said {miss.said}{status}")


def to_json(
    scores: Mapping[str, Score],
    answers: Mapping[str, Sequence[Answer]],
    skipped: Sequence[Case],
) -> str:
    """The same figures and each question's outcome as one strict JSON object."""
    whole = {
        "schema": "diagnoser-eval/1",
        "version": __version__,
        "stage_sets": [
            {
                "stages": stages.split(","),
                "score": _plain(asdict(score)),
                "questions": [_question(answer) for answer in answers[stages]],
            }
            for stages, score in scores.items()
        ],
        "skipped": [{"case": case.name, "needs": list(case.missing)} for case in skipped],
    }
    return json.dumps(whole, indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    """Rates get their share beside the counts."""
    if isinstance(value, dict):
        plain = {name: _plain(entry) for name, entry in value.items()}
        if set(value) == {"hits", "of"}:
            plain["value"] = value["hits"] / value["of"] if value["of"] else None
        return plain
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple) else value


def _question(answer: Answer) -> dict[str, Any]:
    report, place = answer.report, first_location(answer)
    return {
        "case": answer.case.name,
        "kind": answer.kind,
        "causes": list(answer.case.causes),
        "status": None if report is None else report.status,
        "said": answer.said,
        "right": said_right(answer) if answer.kind != "fixed" else not answer.diagnosed,
        "candidates": [entry.cause for entry in answer.candidates[:3]],
        "location": None if place is None else f"{place.file}:{place.line}",
        "printed_like_fixed": answer.printed_like_fixed,
        "seconds": round(answer.seconds, 3),
        "error": answer.error,
    }
