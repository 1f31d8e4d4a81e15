"""Figures of a suite from hand-made answers."""

from __future__ import annotations

import pytest

from diagnoser.evaluate.cases import Case, Place
from diagnoser.evaluate.judging import Answer, Kind, on_right_line
from diagnoser.evaluate.scoring import Rate, score
from diagnoser.schema import Candidate, Location, Report
from tests.report.reports import candidate, full_report, report

RIGHT, WRONG = "missing-zero-grad", "lr-too-high"


def case(name: str = "one-001", *causes: str, **changes) -> Case:
    values = {
        "name": name,
        "mode": "script",
        "symptom": "it climbs",
        "causes": causes or (RIGHT,),
        "broken": None,
        "fixed": None,
        "target": "train.py",
        "locations": (Place("train.py", 31),),
    }
    return Case(**{**values, **changes})


def diagnosed(*causes: str) -> Report:
    return report("diagnosed", *(candidate(cause) for cause in causes))


def answer(
    of: Case, given: Report | None, kind: Kind = "broken", seconds: float = 1.0, **more
) -> Answer:
    return Answer(of, kind, given, seconds=seconds, **more)


HEALTHY = report("healthy")


def test_a_pair_needs_both_halves() -> None:
    one, two, three = case("a-001"), case("a-002"), case("a-003")
    found = score(
        [one, two, three],
        [
            answer(one, diagnosed(RIGHT)),
            answer(one, HEALTHY, "fixed"),
            answer(two, diagnosed(RIGHT)),
            answer(two, diagnosed(WRONG), "fixed"),
            answer(three, diagnosed(WRONG)),
            answer(three, HEALTHY, "fixed"),
        ],
    )
    assert found.pairs == Rate(1, 3)
    assert found.top1 == Rate(2, 3)
    assert found.false_alarms == Rate(1, 3)
    assert [(alarm.case, alarm.said) for alarm in found.alarms] == [("a-002", WRONG)]
    assert [(miss.case, miss.said) for miss in found.misses] == [("a-003", WRONG)]
    assert (RIGHT, WRONG, 1) in found.confusion


def test_said_counts_only_where_a_fault_is_diagnosed() -> None:
    found = score([case()], [answer(case(), report("inconclusive", candidate(RIGHT)))])
    assert found.top1 == Rate(0, 1)
    assert found.top1_plain == Rate(1, 1)


def test_an_accepted_cause_is_right_too() -> None:
    fair = case(accept=(WRONG,))
    assert score([fair], [answer(fair, diagnosed(WRONG))]).top1 == Rate(1, 1)


def test_ranks_leave_out_what_was_refuted() -> None:
    refuted = candidate(WRONG, grade="refuted")
    given = report("diagnosed", refuted, candidate("lr-too-low"), candidate(RIGHT))
    found = score([case()], [answer(case(), given)])
    assert found.top3 == Rate(1, 1)
    assert found.reciprocal_rank == pytest.approx(1 / 2)
    assert found.top1 == Rate(0, 1)


def test_all_faults_are_looked_for() -> None:
    both = case("a-001", RIGHT, "missing-eval-mode")
    found = score([both], [answer(both, diagnosed(RIGHT, WRONG))])
    assert found.faults_recall == Rate(1, 2)
    assert found.multi_fault_recall == Rate(1, 2)
    assert found.faults_precision == Rate(1, 2)


@pytest.mark.parametrize(
    ("file", "line", "right"),
    [
        ("train.py", 31, True),
        ("train.py", 33, True),
        ("train.py", 29, True),
        ("train.py", 34, False),
        ("other.py", 31, False),
        ("./train.py", 31, True),
        ("/tmp/asked/project/train.py", 31, True),
    ],
)
def test_the_right_line_is_within_two(file: str, line: int, right: bool) -> None:
    found: Candidate = candidate(locations=(Location(file=file, line=line),))
    given = answer(case(), report("diagnosed", found), root="/tmp/asked/project")
    assert on_right_line(given) is right


def test_a_target_in_a_folder_counts_from_there() -> None:
    below = case(target="src/train.py", locations=(Place("src/train.py", 31),))
    assert on_right_line(answer(below, diagnosed(RIGHT)))


def test_unscored_questions_are_shown_and_not_counted() -> None:
    found = score(
        [case()], [answer(case(), None, error="timed out"), answer(case(), HEALTHY, "fixed")]
    )
    assert found.unscored == (("one-001 (broken)", "timed out"),)
    assert found.top1 == Rate(0, 0)
    assert found.top1.value is None
    assert found.pairs == Rate(0, 0)


def test_a_fix_counts_as_verified_only_if_it_prints_what_the_fixed_one_prints() -> None:
    one, two = case("a-001"), case("a-002")
    found = score(
        [one, two],
        [
            answer(one, full_report(), printed_like_fixed=True),
            answer(two, full_report(), printed_like_fixed=False),
        ],
    )
    assert found.fixes_offered == Rate(2, 2)
    assert found.fixes_verified == Rate(1, 2)


def test_a_clean_case_is_only_asked_for_false_alarms() -> None:
    clean = Case("a-001", "script", "is it right?", (), None, None, "train.py")
    found = score([clean], [answer(clean, diagnosed(WRONG), "fixed")])
    assert found.false_alarms == Rate(1, 1)
    assert found.top1 == Rate(0, 0)


def test_calibration_compares_confidence_with_being_right() -> None:
    sure = [answer(case(f"a-{n:03d}"), diagnosed(RIGHT)) for n in range(4)]
    wrong = [answer(case(f"b-{n:03d}"), diagnosed(WRONG)) for n in range(4)]
    assert score([], sure).calibration_error == pytest.approx(0.03)
    assert score([], wrong).calibration_error == pytest.approx(0.97)
    assert score([], sure + wrong).calibration_error == pytest.approx(0.47)


def test_seconds_are_a_median_and_a_95th_percentile() -> None:
    answers = [answer(case(f"a-{n:03d}"), diagnosed(RIGHT), seconds=n) for n in range(1, 21)]
    found = score([], answers)
    assert (found.seconds_median, found.seconds_p95) == (10, 19)
