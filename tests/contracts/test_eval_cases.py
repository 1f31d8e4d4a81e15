"""Every case is well-formed, labels lines that exist, and gives nothing away."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from diagnoser.evaluate.cases import Case, load_case
from diagnoser.rules.registry import all_rules
from tests.conftest import REPOSITORY

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDERS = sorted(path.parent for path in (REPOSITORY / "eval_cases").glob("*/case.toml"))
KEYS = frozenset(
    {
        "mode", "symptom", "target", "args", "command", "causes", "accept", "locations", "budget",
        "needs", "source", "fix", "before", "after", "note", "fixed_doubtful",
    }
)  # fmt: skip
VOCABULARY = set((Path(__file__).parent / "vocabulary.txt").read_text().split())
"""Slugs of causes, those without a rule so far too: a case may come before its rule."""
TEXT_SUFFIXES = frozenset({".py", ".toml", ".json", ".txt", ".cfg", ".ini", ".yaml", ".yml", ".md"})
TELLING = frozenset({"bug", "buggy", "broken", "faulty", "mistake", "wrong", "fixme", "todo"})
"""Words that no name and no comment of a specimen holds."""
LEAST_SAME_SOURCES = 6

every_case = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def sides(case: Case) -> list[Path]:
    return [folder for folder in (case.broken, case.fixed) if folder is not None]


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def sources_of(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in files_of(folder).items() if name.endswith(".py")}


def comments_in(text: str) -> str:
    """Comments and docstrings of a Python file, in lower case."""
    tree = ast.parse(text)
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, owners)]
    return "\n".join([*docs, *re.findall(r"#.*", text)]).lower()


def raw(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))


def test_cases_are_found() -> None:
    assert len(FOLDERS) >= 46
    assert sum(load_case(folder).clean for folder in FOLDERS) >= 10


@every_case
def test_the_label_has_known_keys_and_causes(folder: Path) -> None:
    case = load_case(folder)
    assert set(raw(folder)) <= KEYS
    assert re.fullmatch(r"[a-z]+-\d{3}", folder.name)
    assert case.symptom.strip()
    assert {*case.causes, *case.accept} <= {rule.slug for rule in all_rules()} | VOCABULARY
    assert not set(case.causes) & set(case.accept)


@every_case
def test_the_words_are_a_users_own(folder: Path) -> None:
    """The sentence names no cause by its slug."""
    case = load_case(folder)
    for cause in (slug for slug in (*case.causes, *case.accept) if "-" in slug):
        assert cause not in case.symptom.lower()
        assert cause.replace("-", " ") not in case.symptom.lower()


@every_case
def test_labelled_lines_exist_and_hold_text(folder: Path) -> None:
    case = load_case(folder)
    assert case.clean or case.locations or case.mode == "text"
    for place in case.locations if case.mode != "text" else ():
        assert case.broken is not None
        lines = (case.broken / place.file).read_text(encoding="utf-8").splitlines()
        assert 1 <= place.line <= len(lines)
        assert lines[place.line - 1].strip()


@every_case
def test_both_sides_have_the_same_files_and_a_target(folder: Path) -> None:
    case = load_case(folder)
    if case.mode != "text":
        assert case.fixed is not None
    for side in sides(case):
        assert case.target is None or (side / case.target).is_file()
    if case.clean:
        assert case.broken is None
    elif case.broken is not None and case.fixed is not None:
        assert set(files_of(case.broken)) == set(files_of(case.fixed))
        assert files_of(case.broken) != files_of(case.fixed)


@every_case
def test_no_file_name_and_no_comment_gives_the_fault_away(folder: Path) -> None:
    case = load_case(folder)
    slugs = {slug for rule in all_rules() for slug in (rule.slug, rule.slug.replace("-", " "))}
    for side in sides(case):
        for name, data in files_of(side).items():
            words = set(re.split(r"[^a-z]+", name.lower()))
            assert not words & TELLING
            assert not any(slug.replace(" ", "_") in name.lower() for slug in slugs)
            if not name.endswith(".py"):
                continue
            said = comments_in(data.decode("utf-8"))
            assert not set(re.split(r"[^a-z]+", said)) & TELLING
            assert not any(slug in said for slug in slugs)


@every_case
def test_a_case_is_small_text_that_compiles(folder: Path) -> None:
    for side in sides(load_case(folder)):
        for name, data in files_of(side).items():
            assert len(data) < 100_000
            if Path(name).suffix in TEXT_SUFFIXES:
                data.decode("utf-8")
        for name, data in sources_of(side).items():
            assert compile(data, name, "exec", dont_inherit=True) is not None


def test_enough_cases_have_the_same_sources_on_both_sides() -> None:
    same = [
        case.name
        for case in map(load_case, FOLDERS)
        if case.broken is not None
        and case.fixed is not None
        and sources_of(case.broken) == sources_of(case.fixed)
    ]
    assert len(same) >= LEAST_SAME_SOURCES, same
