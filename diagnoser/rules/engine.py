"""Weighs every rule and ranks the causes. Pure: the same examination gives the same verdict.

Each cause is judged on its own, since several can hold. Its evidence d is the prior under the
symptoms that are present or asked about plus the sum of its findings, in decibans; confidence is
1 / (1 + 10^(-d/10)). A cause whose defect a probe read directly explains away causes that rest on
the same symptom alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from diagnoser.rules.base import STRONG, Fact, Finding, Rule
from diagnoser.rules.cues import heard
from diagnoser.rules.examination import ArmOutcome, Examination
from diagnoser.rules.symptoms import read_all
from diagnoser.schema import Grade, Location, SymptomReading

UNLINKED_PRIOR = -12
"""Decibans of a cause that none of the present or asked symptoms suggests."""
EXPLAINED_AWAY = -10
CONFIRMED_BY_ARM = 20
REFUTED_BY_ARM = -20
NO_EFFECT = -3
"""An arm without effect against a defect that a probe read: it may not be the only fault."""
GRADES: tuple[Grade, ...] = ("confirmed", "observed", "suspected", "refuted")


@dataclass(frozen=True)
class Judged:
    """One cause with its evidence, before evidence is numbered."""

    rule: Rule
    grade: Grade
    decibans: int
    findings: tuple[Finding, ...]
    arm: ArmOutcome | None

    @property
    def confidence(self) -> float:
        """Probability that the cause holds, from the decibans."""
        return float(1.0 / (1.0 + 10.0 ** (-self.decibans / 10.0)))

    @property
    def places(self) -> tuple[Location, ...]:
        """Source lines, from the weightiest finding first, without repeats."""
        ordered = sorted(self.findings, key=lambda finding: -finding.decibans)
        unique: dict[tuple[str, int], Location] = {}
        for finding in ordered:
            for place in finding.places:
                unique.setdefault((place.file, place.line), place)
        return tuple(unique.values())


@dataclass(frozen=True)
class Verdict:
    """All candidates, best first, the symptoms, and what could not be judged."""

    judged: tuple[Judged, ...]
    symptoms: tuple[SymptomReading, ...]
    missing: tuple[tuple[str, str], ...]

    @property
    def settled(self) -> tuple[Judged, ...]:
        """Causes that were observed or confirmed."""
        return tuple(entry for entry in self.judged if entry.grade in ("confirmed", "observed"))


def judge(examination: Examination, rules: Sequence[Rule]) -> Verdict:
    """Weigh every rule against the examination."""
    symptoms = read_all(examination)
    raised = {reading.slug for reading in symptoms if reading.present == "yes"}
    raised |= set(examination.asked)
    judged: list[Judged] = []
    missing: list[tuple[str, str]] = []
    for rule in rules:
        findings = (*rule.weigh(examination), *heard(rule.cues, examination))
        lacking = [finding for finding in findings if finding.outcome == "not-evaluated"]
        if lacking and len(lacking) == len(findings):
            missing.append((rule.slug, lacking[0].note))
        judged.append(_judge_one(rule, findings, raised, examination))
    return Verdict(_rank(_explain_away(judged)), symptoms, tuple(missing))


def prior_of(rule: Rule, raised: set[str]) -> int:
    """The cause's prior under the symptoms that are present or asked about."""
    linked = [weight for slug, weight in rule.prior.items() if slug in raised]
    return max(linked) if linked else UNLINKED_PRIOR


def _judge_one(
    rule: Rule, findings: tuple[Finding, ...], raised: set[str], examination: Examination
) -> Judged:
    total = prior_of(rule, raised) + sum(finding.decibans for finding in findings)
    direct = any(f.direct and f.outcome == "fired" and f.decibans >= STRONG for f in findings)
    against = any(f.outcome == "fired" and f.decibans < 0 for f in findings)
    grade: Grade = "observed" if direct else "suspected"
    arm = None
    if rule.trial is not None:
        arm = examination.arm(rule.trial.intervention, rule.strengths(examination))
    if arm is not None and _tried_for(rule, findings, direct):
        if arm.removed_symptom and not against:
            grade = "confirmed"
            total += CONFIRMED_BY_ARM
        elif direct:
            total += NO_EFFECT
        else:
            grade = "refuted"
            total += REFUTED_BY_ARM
    return Judged(rule, grade, total, findings, arm)


def _tried_for(rule: Rule, findings: tuple[Finding, ...], direct: bool) -> bool:
    """An arm speaks for a cause only if a finding or the symptom proposed it."""
    return direct or any(f.outcome == "fired" and f.decibans > 0 for f in findings)


def _explain_away(judged: list[Judged]) -> list[Judged]:
    judged = _without_fallbacks(judged)
    settled = [entry for entry in judged if entry.grade in ("confirmed", "observed")]
    if not settled:
        return judged
    result = []
    for entry in judged:
        if entry.grade == "suspected" and any(
            set(entry.rule.prior) & set(other.rule.prior) for other in settled
        ):
            entry = Judged(
                entry.rule, entry.grade, entry.decibans + EXPLAINED_AWAY, entry.findings, entry.arm
            )
        result.append(entry)
    return result


def _without_fallbacks(judged: list[Judged]) -> list[Judged]:
    """Fallbacks become suspected where another settled cause rests on the exception too."""
    explained = any(
        entry.grade in ("confirmed", "observed")
        and not entry.rule.fallback
        and any(fact.kind == "exception.raised" for fact in facts_of(entry.findings))
        for entry in judged
    )
    if not explained:
        return judged
    return [
        Judged(entry.rule, "suspected", entry.decibans + EXPLAINED_AWAY, entry.findings, entry.arm)
        if entry.rule.fallback
        else entry
        for entry in judged
    ]


def _rank(judged: list[Judged]) -> tuple[Judged, ...]:
    def order(entry: Judged) -> tuple[int, int, int, str]:
        tier = {"confirmed": 0, "observed": 0, "suspected": 1, "refuted": 2}[entry.grade]
        return (tier, -entry.decibans, entry.rule.level, entry.rule.slug)

    return tuple(sorted(judged, key=order))


def without(verdict: Verdict, slug: str) -> Verdict:
    """The verdict with one cause refuted: its repair was tried and did harm."""
    judged = [
        Judged(entry.rule, "refuted", entry.decibans + REFUTED_BY_ARM, entry.findings, entry.arm)
        if entry.rule.slug == slug
        else entry
        for entry in verdict.judged
    ]
    return Verdict(_rank(judged), verdict.symptoms, verdict.missing)


def facts_of(findings: Sequence[Finding]) -> tuple[Fact, ...]:
    """The facts that findings rest on, without repeats, in order."""
    unique: dict[tuple[str, str], Fact] = {}
    for finding in findings:
        for fact in finding.facts:
            unique.setdefault((fact.kind, fact.summary), fact)
    return tuple(unique.values())
