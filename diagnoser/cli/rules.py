"""`diagnoser rules`: what is known about causes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from diagnoser.cli.output import write_answer
from diagnoser.errors import InputError

if TYPE_CHECKING:
    from diagnoser.rules.base import Rule


def rules(
    slug: Annotated[
        str | None, typer.Argument(metavar="[SLUG]", help="A cause, such as missing-zero-grad.")
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Each symptom with its causes, the likeliest first.")
    ] = False,
) -> int:
    """Print the documentation of one cause, the symptom table, or a list of all causes."""
    if slug is not None and table:
        raise InputError("a SLUG and --table were both given", "Give one of the two.")
    if table:
        write_answer(symptom_table())
    elif slug is not None:
        write_answer(cause_page(slug))
    else:
        write_answer(cause_list())
    return 0


def cause_page(slug: str) -> str:
    """The documentation of one cause.

    Raises:
        InputError: there is no such cause; the advice names the nearest.
    """
    from diagnoser.rules.registry import all_rules, rule_named

    rule = rule_named(slug)
    if rule is None:
        from difflib import get_close_matches

        near = get_close_matches(slug, [entry.slug for entry in all_rules()], n=3)
        advice = f"Did you mean {', '.join(near)}? " if near else ""
        raise InputError(f"there is no cause {slug!r}", f"{advice}`diagnoser rules` lists all.")
    linked = sorted(rule.prior.items(), key=lambda pair: -pair[1])
    head = [
        f"{rule.slug}: {rule.title}",
        f"Category: {rule.category}. Level {rule.level}.",
        f"Explains: {', '.join(name for name, _ in linked) or 'no symptom of the table'}.",
    ]
    return "\n".join([*head, "", rule.documentation(), ""])


def cause_list() -> str:
    """All causes by category."""
    from diagnoser.rules.registry import all_rules

    by_category: dict[str, list[Rule]] = {}
    for rule in all_rules():
        by_category.setdefault(rule.category, []).append(rule)
    width = max((len(rule.slug) for rule in all_rules()), default=0)
    lines = []
    for category in sorted(by_category):
        lines += [
            category.capitalize(),
            *(f"  {rule.slug.ljust(width)}  {rule.title}" for rule in by_category[category]),
            "",
        ]
    return "\n".join([*lines, "`diagnoser rules SLUG` prints one; --table starts from symptoms."])


def symptom_table() -> str:
    """Each symptom with the causes that explain it, by prior."""
    from diagnoser.rules.registry import all_rules
    from diagnoser.rules.symptoms import SYMPTOMS

    lines = []
    for symptom in SYMPTOMS:
        causes = sorted(
            (rule for rule in all_rules() if symptom.slug in rule.prior),
            key=lambda rule: (-rule.prior[symptom.slug], rule.slug),
        )
        lines.append(f"{symptom.slug}: {symptom.title} ({symptom.category})")
        lines += [f"  {rule.prior[symptom.slug]:+4d}  {rule.slug}" for rule in causes]
        if not causes:
            lines.append("        no cause is known yet")
        lines.append("")
    lines.append("The numbers are decibans: the prior of a cause where that symptom is present.")
    return "\n".join(lines)
