"""Cases are read strictly, and a suite that cannot be read says where and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from diagnoser.errors import InputError
from diagnoser.evaluate.cases import Place, load_case, load_cases

LABEL = 'mode = "script"\nsymptom = "flat"\ntarget = "train.py"\ncauses = ["lr-too-low"]\n'


def write_case(folder: Path, label: str = LABEL, sides: tuple[str, ...] = ("broken",)) -> Path:
    for side in sides:
        (folder / side).mkdir(parents=True)
        (folder / side / "train.py").write_text("x = 1\n")
    folder.mkdir(exist_ok=True)
    (folder / "case.toml").write_text(label)
    return folder


def test_a_case_has_its_defaults(tmp_path: Path) -> None:
    case = load_case(write_case(tmp_path / "a-001"))
    assert (case.name, case.budget, case.needs, case.fixed) == ("a-001", 60.0, (), None)
    assert not case.clean


def test_a_location_may_be_in_a_cell(tmp_path: Path) -> None:
    label = LABEL + 'locations = ["a b.py:3", "demo.ipynb[4]:7", "C:/x.py:9"]\n'
    case = load_case(write_case(tmp_path / "a-001", label))
    assert case.locations == (Place("a b.py", 3), Place("demo.ipynb", 7, 4), Place("C:/x.py", 9))


def test_unknown_keys_are_ignored(tmp_path: Path) -> None:
    assert load_case(write_case(tmp_path / "a-001", LABEL + "colour = 3\n")).mode == "script"


@pytest.mark.parametrize(
    ("label", "named"),
    [
        ("mode = ", "TOML"),
        ('symptom = "x"\ncauses = []\n', "mode"),
        ('mode = "video"\nsymptom = "x"\ncauses = []\n', "video"),
        ('mode = "script"\ncauses = []\n', "symptom"),
        ('mode = "script"\nsymptom = "x"\n', "causes"),
        (LABEL + "args = 3\n", "args"),
        (LABEL + "budget = 0\n", "budget"),
        (LABEL + "budget = true\n", "budget"),
        (LABEL + 'locations = ["train.py"]\n', "locations"),
        (LABEL.replace('target = "train.py"\n', ""), "target"),
        (LABEL.replace("script", "command"), "command"),
    ],
)
def test_what_is_missing_or_wrong_is_named(label: str, named: str, tmp_path: Path) -> None:
    folder = write_case(tmp_path / "a-001", label)
    with pytest.raises(InputError) as caught:
        load_case(folder)
    assert named in f"{caught.value} {caught.value.advice}"
    assert caught.value.advice


def test_a_faulty_case_needs_its_broken_side(tmp_path: Path) -> None:
    folder = write_case(tmp_path / "a-001", sides=("fixed",))
    with pytest.raises(InputError, match="broken"):
        load_case(folder)


def test_a_suite_a_case_and_both_are_taken_once(tmp_path: Path) -> None:
    for name in ("a-001", "a-002", "b-001"):
        write_case(tmp_path / name)
    whole = load_cases([tmp_path, tmp_path / "a-001"])
    assert [case.name for case in whole] == ["a-001", "a-002", "b-001"]
    assert [case.name for case in load_cases([tmp_path], "a-*")] == ["a-001", "a-002"]
    assert [case.name for case in load_cases([tmp_path / "b-001"])] == ["b-001"]


def test_cases_of_the_same_name_are_told_apart_by_their_suite(tmp_path: Path) -> None:
    write_case(tmp_path / "one" / "a-001")
    write_case(tmp_path / "two" / "a-001")
    found = load_cases([tmp_path / "one", tmp_path / "two"])
    assert [case.name for case in found] == ["one/a-001", "two/a-001"]


def test_needs_that_are_not_installed_are_missing(tmp_path: Path) -> None:
    label = LABEL + 'needs = ["torch", "no-such-package-at-all"]\n'
    assert load_case(write_case(tmp_path / "a-001", label)).missing == ("no-such-package-at-all",)
