"""A suite of cases from outside the repository: no healthy twin of it is accused."""

from __future__ import annotations

import pytest

from diagnoser.evaluate.cases import Case, load_cases
from diagnoser.evaluate.run import Plan, run_suite
from diagnoser.evaluate.scoring import Score, score
from tests.conftest import REPOSITORY

SUITE = REPOSITORY.parent / "shared" / "practice"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.practice,
    pytest.mark.skipif(not SUITE.is_dir(), reason="the suite is not here"),
]


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    """The cases whose needs are installed."""
    return tuple(case for case in load_cases([SUITE]) if not case.missing)


@pytest.fixture(scope="module")
def scored(cases: tuple[Case, ...]) -> Score:
    """The figures of the whole suite."""
    return score(cases, run_suite(cases, Plan(), lambda _: None))


def test_no_healthy_script_is_diagnosed(scored: Score) -> None:
    assert scored.false_alarms.of > 0
    assert [f"{alarm.case}: {alarm.said}" for alarm in scored.alarms] == []


def test_every_question_about_a_script_was_answered(scored: Score, cases: tuple[Case, ...]) -> None:
    scripts = {case.name for case in cases if case.mode == "script"}
    failed = [(name, error) for name, error in scored.unscored if name.split()[0] in scripts]
    assert failed == []
