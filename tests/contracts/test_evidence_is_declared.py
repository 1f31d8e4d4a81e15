"""What rules read is recorded by some collector, and what is recorded is documented."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from diagnoser.evaluate.cases import load_cases
from diagnoser.rules.base import Rule
from diagnoser.rules.examination import Examination, parse_records
from diagnoser.rules.registry import all_rules
from diagnoser.runner.runner import Runner
from evidence_collectors.seam import discover
from tests.contracts.conftest import request_for

COLLECTORS = discover("collectors", "COLLECTOR")
INTERVENTIONS = discover("interventions", "INTERVENTION")
SEAM_KINDS = frozenset(
    {"run.start", "run.torch", "run.stopped", "run.end", "collector.failed", "seam.failed"}
)
"""Written by the seam itself, not by a collector."""

every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.slug)
every_part = pytest.mark.parametrize(
    "part", [*COLLECTORS, *INTERVENTIONS], ids=lambda part: part.name
)


def declared() -> set[str]:
    return {kind for part in (*COLLECTORS, *INTERVENTIONS) for kind in part.kinds}


def kinds_read(rule: Rule) -> set[str]:
    """Record kinds that stand as plain texts in calls of the examination in a rule's file."""
    tree = ast.parse(Path(inspect.getfile(type(rule))).read_text(encoding="utf-8"))
    return {
        argument.value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        for argument in call.args
        if isinstance(argument, ast.Constant)
        and isinstance(argument.value, str)
        and _name(call.func) in {"of", "last", "data", "last_by_place"}
    } - {""}


def _name(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


@every_rule
def test_each_kind_that_a_rule_needs_is_recorded_by_a_collector(rule: Rule) -> None:
    assert rule.needs
    assert set(rule.needs) <= declared()


@every_rule
def test_each_kind_that_a_rule_reads_exists(rule: Rule) -> None:
    kinds = {kind for kind in kinds_read(rule) if "." in kind}
    assert kinds <= declared() | SEAM_KINDS


@every_rule
def test_a_trial_names_an_intervention_that_takes_its_strengths(
    rule: Rule, real_runs: dict[str, list[dict[str, Any]]]
) -> None:
    if rule.trial is None:
        assert not rule.experiment_only, "only an experiment can settle it, and there is none"
        return
    named = {part.name: part for part in INTERVENTIONS}
    assert rule.trial.intervention in named
    examinations = [Examination(records=parse_records(run)) for run in real_runs.values()]
    strengths = [s for e in (Examination(), *examinations) for s in rule.strengths(e)]
    assert strengths
    for strength in strengths:
        made = named[rule.trial.intervention](None, dict(strength))
        assert callable(made.install)


@every_part
def test_each_kind_has_a_dotted_name_and_a_text(part: Any) -> None:
    assert part.kinds
    for kind, text in part.kinds.items():
        assert re.fullmatch(r"[a-z]+(\.[a-z_]+)+", kind)
        assert len(text) >= 10


@every_part
def test_the_name_is_the_name_of_the_file(part: Any) -> None:
    assert importlib.import_module(part.__module__).__name__.rpartition(".")[2] == part.name


def test_no_two_collectors_write_the_same_kind() -> None:
    kinds = [kind for part in COLLECTORS for kind in part.kinds]
    assert len(kinds) == len(set(kinds))


def test_real_runs_record_every_declared_kind_and_no_other(
    real_runs: dict[str, list[dict[str, Any]]], shared_runner: Runner, repository: Path
) -> None:
    """Kinds that the small scripts do not show are looked for in the cases."""
    seen = {record["kind"] for records in real_runs.values() for record in records}
    for case in load_cases([repository / "eval_cases"]):
        if case.broken is not None and case.mode != "text" and declared() - seen:
            seen |= {record["kind"] for record in shared_runner.run(request_for(case)).records}
    assert declared() - seen == set()
    assert seen - SEAM_KINDS == declared()
