"""Rules never raise and never talk nonsense, whatever well-typed records they are given."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diagnoser.fixes.patch import apply_edits
from diagnoser.rules.base import Fact, Finding, Rule, Source
from diagnoser.rules.engine import judge
from diagnoser.rules.examination import Examination
from diagnoser.rules.registry import all_rules
from diagnoser.schema import Location
from tests.contracts.adversarial import examinations

MAX_DECIBANS = 20
"""The named step "decisive"; no single finding says more."""

Runs = dict[str, list[dict[str, Any]]]
many = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    database=None,
)


def check_finding(rule: Rule, finding: Finding) -> None:
    """One finding is complete and consistent with itself."""
    assert finding.outcome in ("fired", "silent", "not-evaluated")
    assert isinstance(finding.decibans, int)
    assert abs(finding.decibans) <= MAX_DECIBANS
    assert finding.note.strip(), rule.slug
    assert all(isinstance(place, Location) for place in finding.places)
    assert all(isinstance(fact, Fact) and fact.summary.strip() for fact in finding.facts)
    if finding.outcome == "fired":
        assert finding.decibans != 0
        assert finding.facts, "what fired rests on a fact"
    else:
        assert finding.decibans == 0
        assert not finding.direct


def test_each_rule_says_something_and_says_it_whole(real_runs: Runs) -> None:
    @many
    @given(examinations(real_runs))
    def holds(examination: Examination) -> None:
        for rule in all_rules():
            findings = rule.weigh(examination)
            assert findings, f"{rule.slug} says nothing, not even what it lacks"
            for finding in findings:
                check_finding(rule, finding)
            assert rule.sentence(findings).strip()
            for strength in rule.strengths(examination):
                assert all(value > 0 for value in strength.values())

    holds()


def test_fixes_never_raise_and_always_apply(real_runs: Runs, repository: Path) -> None:
    def sources(examination: Examination) -> dict[str, str]:
        named = {Path(record.at.file) for record in examination.records if record.at is not None}
        return {
            str(path): path.read_text(encoding="utf-8")
            for path in named
            if path.is_relative_to(repository) and path.is_file()
        }

    @many
    @given(examinations(real_runs))
    def holds(examination: Examination) -> None:
        files = sources(examination)
        for rule in all_rules():
            edits = rule.fix(Source(files), rule.weigh(examination))
            assert all(edit.cause == rule.slug and edit.file in files for edit in edits)
            if edits:
                assert apply_edits(files, edits) is not None

    holds()


def test_the_verdict_does_not_depend_on_the_order_of_the_rules(real_runs: Runs) -> None:
    @many
    @given(examinations(real_runs), st.integers(0, 1000))
    def holds(examination: Examination, seed: int) -> None:
        shuffled = random.Random(seed).sample(all_rules(), len(all_rules()))
        first, second = judge(examination, all_rules()), judge(examination, shuffled)
        assert repr(first.judged) == repr(second.judged)
        assert repr(judge(examination, all_rules())) == repr(first)
        assert first.symptoms == second.symptoms
        assert sorted(first.missing) == sorted(second.missing)
        for entry in first.judged:
            assert 0.0 <= entry.confidence <= 1.0

    holds()
