"""`diagnoser rules`: the list, one cause, the symptom table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from diagnoser.rules.base import DOC_SECTIONS
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import SYMPTOMS
from tests.cli.conftest import Said

Diagnoser = Callable[..., Said]


def test_the_list_names_every_cause_once(diagnoser: Diagnoser) -> None:
    said = diagnoser("rules")
    assert (said.code, said.err) == (0, "")
    first_words = [line.split()[0] for line in said.out.splitlines() if line.startswith("  ")]
    assert sorted(first_words) == [rule.slug for rule in all_rules()]


@pytest.mark.parametrize("slug", [rule.slug for rule in all_rules()])
def test_a_cause_prints_its_documentation(slug: str, diagnoser: Diagnoser) -> None:
    said = diagnoser("rules", slug)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"{slug}: ")
    lines = said.out.splitlines()
    assert [line for line in lines if line.rstrip(":") in DOC_SECTIONS] == [
        f"{name}:" for name in DOC_SECTIONS
    ]


def test_the_table_has_every_symptom_and_every_cause(diagnoser: Diagnoser) -> None:
    said = diagnoser("rules", "--table")
    assert (said.code, said.err) == (0, "")
    for symptom in SYMPTOMS:
        assert f"{symptom.slug}: {symptom.title}" in said.out
    for rule in all_rules():
        assert f"  {rule.slug}\n" in said.out


def test_the_table_lists_the_likeliest_cause_first(diagnoser: Diagnoser) -> None:
    rows: dict[str, list[int]] = {}
    for line in diagnoser("rules", "--table").out.splitlines():
        if line[:1].isalpha() and ": " in line:
            rows[line] = []
        elif line.startswith("  ") and line.split()[0].lstrip("+-").isdigit():
            rows[next(reversed(rows))].append(int(line.split()[0]))
    assert sum(len(weights) for weights in rows.values()) == sum(
        len(rule.prior) for rule in all_rules()
    )
    for weights in rows.values():
        assert weights == sorted(weights, reverse=True)
