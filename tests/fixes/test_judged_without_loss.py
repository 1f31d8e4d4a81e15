"""Repairs that do not show in the training loss are judged by what the script prints."""

from __future__ import annotations

from dataclasses import replace

from diagnoser.fixes.verify import judge_fix
from diagnoser.rules.engine import Verdict
from diagnoser.rules.examination import Examination, Record

CLEAN = Verdict((), (), ())


def run(printed: str, updates: int = 100) -> Examination:
    ended = Record("run.end", updates, "train", 1.0, None, {"updates": updates})
    return Examination(records=(ended,), exit=0, ran=True, stopped="finished", stdout=printed)


def state(before: Examination, after: Examination) -> str:
    return judge_fix("snapshot-aliased", (before, CLEAN), (after, CLEAN), by_loss=False).verified


def test_verified_when_the_script_prints_otherwise() -> None:
    assert state(run("test 0.42"), run("test 0.32")) == "verified"


def test_not_verified_when_nothing_it_prints_has_changed() -> None:
    assert state(run("test 0.42"), run("test 0.42")) == "symptom-remains"


def test_not_verified_when_the_script_does_less_work() -> None:
    assert state(run("test 0.42"), run("test 0.32", updates=10)) == "symptom-remains"


def test_a_script_that_ends_with_an_error_is_broken() -> None:
    assert state(run("test 0.42"), replace(run("test 0.32"), exit=1)) == "broke-script"
