"""Turns answers into figures. Pure: the same answers give the same score.

*Pair*: the broken one is said right, and its fixed twin, asked with the same sentence, is not
diagnosed. *False alarm*: `diagnosed` on a fixed/ or a clean case, whatever the cause. *Verified*:
the cause is right, the re-run made the symptom go, and what the script prints then is within 10 %
of what fixed/ prints. `judging` holds the definitions for one answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from diagnoser.evaluate.cases import Case
from diagnoser.evaluate.judging import (
    NOTHING,
    Answer,
    first_location,
    is_right,
    on_right_line,
    rank_of_right,
    said_right,
)

BINS = 10
Item = TypeVar("Item")


@dataclass(frozen=True)
class Rate:
    """So many of so many."""

    hits: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, or None where there was nothing to count."""
        return self.hits / self.of if self.of else None


@dataclass(frozen=True)
class Bin:
    """One row of the reliability table: answers of about this confidence, and the share right."""

    low: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True)
class Miss:
    """A question that was answered otherwise than its label says."""

    case: str
    wanted: str
    said: str
    status: str


@dataclass(frozen=True)
class Score:
    """All figures of one set of stages."""

    cases: int
    pairs: Rate
    top1: Rate
    top1_plain: Rate
    top3: Rate
    blind: Rate
    reciprocal_rank: float | None
    right_line: Rate
    faults_recall: Rate
    multi_fault_recall: Rate
    faults_precision: Rate
    false_alarms: Rate
    fixes_offered: Rate
    fixes_verified: Rate
    calibration_error: float | None
    reliability: tuple[Bin, ...]
    seconds_median: float | None
    seconds_p95: float | None
    unscored: tuple[tuple[str, str], ...]
    misses: tuple[Miss, ...]
    alarms: tuple[Miss, ...]
    wrong_lines: tuple[Miss, ...]
    confusion: tuple[tuple[str, str, int], ...]


def score(cases: Sequence[Case], answers: Iterable[Answer]) -> Score:
    """All figures of a suite; unscored questions are counted apart and listed by name."""
    listed = list(answers)
    scored = [answer for answer in listed if answer.report is not None]
    faulty = [answer for answer in scored if answer.kind == "broken"]
    healthy = [answer for answer in scored if answer.kind == "fixed"]
    blind = [answer for answer in scored if answer.kind == "blind"]
    twin_of = {answer.case.name: answer for answer in healthy}
    twins = [(a, twin_of[a.case.name]) for a in faulty if a.case.name in twin_of]
    ranks = [rank_of_right(answer) for answer in faulty]
    located = [answer for answer in faulty if answer.case.locations]
    offered = [answer for answer in faulty if answer.offers_fix]
    seconds = sorted(answer.seconds for answer in scored)
    reliability = _reliability([*faulty, *healthy])
    return Score(
        cases=len(cases),
        pairs=_count(twins, lambda pair: said_right(pair[0]) and not pair[1].diagnosed),
        top1=_count(faulty, said_right),
        top1_plain=_count(ranks, lambda rank: rank == 1),
        top3=_count(ranks, lambda rank: rank is not None and rank <= 3),
        blind=_count(blind, said_right),
        reciprocal_rank=sum(1 / r for r in ranks if r is not None) / len(ranks) if ranks else None,
        right_line=_count(located, on_right_line),
        faults_recall=_recall(faulty),
        multi_fault_recall=_recall([a for a in faulty if len(a.case.causes) > 1]),
        faults_precision=_precision(faulty),
        false_alarms=_count(healthy, lambda answer: answer.diagnosed),
        fixes_offered=Rate(len(offered), len(faulty)),
        fixes_verified=_count(offered, lambda a: said_right(a) and bool(a.printed_like_fixed)),
        calibration_error=_calibration_error(reliability),
        reliability=reliability,
        seconds_median=_quantile(seconds, 0.5),
        seconds_p95=_quantile(seconds, 0.95),
        unscored=tuple((f"{a.case.name} ({a.kind})", a.error) for a in listed if a.report is None),
        misses=tuple(_miss(answer) for answer in faulty if not said_right(answer)),
        alarms=tuple(_miss(answer) for answer in healthy if answer.diagnosed),
        wrong_lines=tuple(_line_miss(a) for a in located if said_right(a) and not on_right_line(a)),
        confusion=_confusion([*faulty, *healthy]),
    )


def _count(items: Sequence[Item], hit: Callable[[Item], bool]) -> Rate:
    return Rate(sum(1 for item in items if hit(item)), len(items))


def _recall(answers: Sequence[Answer]) -> Rate:
    """Of the labelled faults, those graded observed or confirmed (the main one: or an accepted)."""
    found = 0
    for answer in answers:
        found += len(answer.settled & set(answer.case.causes))
        if answer.case.causes[0] not in answer.settled and answer.settled & set(answer.case.accept):
            found += 1
    return Rate(found, sum(len(answer.case.causes) for answer in answers))


def _precision(answers: Sequence[Answer]) -> Rate:
    """Of the causes graded observed or confirmed in faulty cases, those that are labelled."""
    pairs = [(answer.case, cause) for answer in answers for cause in answer.settled]
    return _count(pairs, lambda pair: is_right(*pair))


def _reliability(answers: Sequence[Answer]) -> tuple[Bin, ...]:
    """Confidence of the first candidate against how often it was right, in equal bins."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for answer in answers:
        if answer.candidates:
            first = answer.candidates[0]
            right = answer.kind != "fixed" and is_right(answer.case, first.cause)
            index = min(int(first.confidence * BINS), BINS - 1)
            bins.setdefault(index, []).append((first.confidence, right))
    return tuple(
        Bin(
            low=index / BINS,
            count=len(pairs),
            confidence=sum(confidence for confidence, _ in pairs) / len(pairs),
            right=sum(right for _, right in pairs) / len(pairs),
        )
        for index, pairs in sorted(bins.items())
    )


def _calibration_error(reliability: Sequence[Bin]) -> float | None:
    total = sum(entry.count for entry in reliability)
    if not total:
        return None
    return sum(e.count * abs(e.confidence - e.right) for e in reliability) / total


def _quantile(values: Sequence[float], share: float) -> float | None:
    """The smallest of the sorted values that at least `share` of them do not exceed."""
    return values[max(0, math.ceil(share * len(values)) - 1)] if values else None


def _miss(answer: Answer) -> Miss:
    first = answer.candidates[0].cause if answer.candidates else NOTHING
    status = answer.report.status if answer.report is not None else ""
    return Miss(answer.case.name, _wanted(answer), first, status)


def _line_miss(answer: Answer) -> Miss:
    listed, found = answer.case.locations[0], first_location(answer)
    said_at = f"{found.file}:{found.line}" if found is not None else "no line"
    return Miss(answer.case.name, f"{listed.file}:{listed.line}", said_at, "")


def _wanted(answer: Answer) -> str:
    return NOTHING if answer.kind == "fixed" else answer.case.causes[0]


def _confusion(answers: Sequence[Answer]) -> tuple[tuple[str, str, int], ...]:
    """How often each label was answered with each cause; an accepted cause counts as the label."""
    counts: dict[tuple[str, str], int] = {}
    for answer in answers:
        wanted = _wanted(answer)
        right = answer.kind != "fixed" and said_right(answer)
        key = (wanted, wanted if right else answer.said)
        counts[key] = counts.get(key, 0) + 1
    return tuple((wanted, said, count) for (wanted, said), count in sorted(counts.items()))
