"""`diagnoser eval` on a suite of two cases: one with a fault and its twin, one clean."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.cli.eval import missed_in, thresholds_in
from diagnoser.evaluate.scoring import Score, score
from tests.cli.conftest import BROKEN, HEALTHY, Said, run_as_user

Diagnoser = Callable[..., Said]
LABEL = """
mode = "script"
symptom = "the error climbs higher and higher"
target = "train.py"
causes = {causes}
locations = {locations}
budget = 30
"""


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite, with a third case that needs a package that is not here."""
    folder = tmp_path_factory.mktemp("suite")
    for name, sides in (
        ("one-001", {"broken": BROKEN, "fixed": HEALTHY}),
        ("one-002", {"fixed": HEALTHY}),
        ("one-003", {"fixed": HEALTHY}),
    ):
        clean = "broken" not in sides
        label = LABEL.format(
            causes="[]" if clean else '["missing-zero-grad"]',
            locations="[]" if clean else '["train.py:10"]',
        )
        if name == "one-003":
            label += 'needs = ["no-such-package-at-all"]\n'
        for side, text in sides.items():
            (folder / name / side).mkdir(parents=True)
            (folder / name / side / "train.py").write_text(textwrap.dedent(text))
        (folder / name / "case.toml").write_text(label)
    return folder


@pytest.fixture(scope="session")
def scored(suite: Path) -> Said:
    """The figures as JSON, with thresholds that hold."""
    return run_as_user(
        *("eval", str(suite), "--json", "--blind", "--fail-under", "pairs=1,false-alarms=0,mrr=1"),
        cwd=suite,
    )


def test_thresholds_that_hold_are_exit_code_0(scored: Said) -> None:
    assert scored.code == 0, scored.err


def test_the_figures_are_strict_json(scored: Said) -> None:
    whole = json.loads(scored.out)
    assert whole["schema"] == "diagnoser-eval/1"
    (entry,) = whole["stage_sets"]
    figures = entry["score"]
    assert figures["cases"] == 2
    assert figures["pairs"] == {"hits": 1, "of": 1, "value": 1.0}
    assert figures["top1"]["value"] == 1.0
    assert figures["blind"]["of"] == 1
    assert figures["false_alarms"] == {"hits": 0, "of": 2, "value": 0.0}
    assert figures["right_line"]["value"] == 1.0
    assert figures["fixes_verified"] == {"hits": 1, "of": 1, "value": 1.0}
    assert figures["unscored"] == []
    assert {(q["case"], q["kind"]) for q in entry["questions"]} == {
        ("one-001", "broken"),
        ("one-001", "fixed"),
        ("one-001", "blind"),
        ("one-002", "fixed"),
    }
    assert all(question["right"] for question in entry["questions"])


def test_a_case_whose_needs_are_missing_is_skipped_by_name(scored: Said) -> None:
    assert json.loads(scored.out)["skipped"] == [
        {"case": "one-003", "needs": ["no-such-package-at-all"]}
    ]


def test_progress_names_each_question_on_standard_error(scored: Said) -> None:
    assert sum("one-001" in line for line in scored.complaint) == 3
    assert any("4 of 4" in line for line in scored.complaint)


def test_a_missed_threshold_is_exit_code_1_and_the_figures_are_still_printed(
    diagnoser: Diagnoser, suite: Path
) -> None:
    said = diagnoser(
        "eval", str(suite / "one-002"), "--fail-under", "top1=0.5", "--stages", "probe", "--quiet"
    )
    assert said.code == 1
    assert said.complaint[0] == "error: threshold missed: top1 was not measured"
    assert len(said.complaint) == 2
    assert said.out.splitlines()[1].split() == ["cases", "1"]
    assert "false alarms" in said.out


def test_stage_sets_stand_side_by_side(diagnoser: Diagnoser, suite: Path) -> None:
    said = diagnoser(
        *("eval", str(suite), "--only", "*-002", "--stages", "audit", "--stages", "probe,audit"),
        *("--workers", "1"),
    )
    assert said.code == 0, said.err
    assert said.out.splitlines()[0].split() == ["audit", "audit,probe"]


@pytest.fixture(scope="module")
def empty_score() -> Score:
    """The score of no answers at all."""
    return score([], [])


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("", []),
        ("unscored=0", []),
        ("top1=0", ["top1 was not measured"]),
        ("false-alarms=1, seconds-p95=3", ["false-alarms", "seconds-p95"]),
    ],
)
def test_a_figure_that_was_not_measured_does_not_hold(
    text: str, missed: list[str], empty_score: Score
) -> None:
    found = missed_in(empty_score, thresholds_in(text))
    assert len(found) == len(missed)
    assert all(line.startswith(start) for line, start in zip(found, missed, strict=True))
