"""Every rule explains itself: nine sections, filled fields, examples that compile."""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path

import pytest

from diagnoser.rules.base import DOC_SECTIONS, Rule
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import SYMPTOMS

HEADER = re.compile(r"(?P<name>\S[^:]*):$")
every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.slug)


def sections(rule: Rule) -> dict[str, str]:
    """The sections of a rule's documentation in order, dedented, without their headers."""
    found: dict[str, list[str]] = {}
    for line in rule.documentation().splitlines():
        header = HEADER.match(line)
        if header is not None:
            found[header["name"]] = []
        elif found:
            found[next(reversed(found))].append(line)
    return {name: textwrap.dedent("\n".join(lines)).strip() for name, lines in found.items()}


def test_rules_are_found() -> None:
    assert len(all_rules()) >= 17


@every_rule
def test_the_sections_stand_in_order_and_hold_text(rule: Rule) -> None:
    found = sections(rule)
    assert tuple(found) == DOC_SECTIONS
    assert [name for name, text in found.items() if len(text) < 8] == []


@every_rule
def test_the_documentation_begins_with_one_sentence(rule: Rule) -> None:
    first = rule.documentation().split("\n\n")[0]
    assert first.endswith(".")
    assert not first.startswith(DOC_SECTIONS)
    assert len(first) <= 200


@every_rule
@pytest.mark.parametrize("section", ["Example", "Use instead"])
def test_examples_compile(rule: Rule, section: str) -> None:
    body = textwrap.indent(sections(rule)[section], "    ")
    code = compile(f"def example():\n{body}\n", f"{rule.slug}: {section}", "exec")
    assert "example" in code.co_names


@every_rule
def test_the_example_differs_from_its_repair(rule: Rule) -> None:
    assert sections(rule)["Example"] != sections(rule)["Use instead"]


@every_rule
def test_the_slug_is_the_name_of_the_file(rule: Rule) -> None:
    assert Path(inspect.getfile(type(rule))).stem.replace("_", "-") == rule.slug


@every_rule
def test_what_reports_print_is_filled(rule: Rule) -> None:
    for text in (rule.title, rule.category, rule.fix_summary, rule.prevention):
        assert text == text.strip()
        assert len(text) >= 4
    assert not rule.title.endswith("."), "the report adds the full stop"
    assert rule.level in (1, 2, 3)


@every_rule
def test_the_prior_names_symptoms_of_the_table(rule: Rule) -> None:
    assert rule.prior
    assert set(rule.prior) <= {symptom.slug for symptom in SYMPTOMS}
    assert all(isinstance(weight, int) and -30 <= weight <= 10 for weight in rule.prior.values())
