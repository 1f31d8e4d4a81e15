"""Finds every cause by directory; a file that cannot be imported is an error, never a gap."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import diagnoser.rules.causes as causes
from diagnoser.rules.base import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """One instance of each rule, ordered by slug."""
    found: dict[str, Rule] = {}
    for entry in pkgutil.iter_modules(causes.__path__):
        if entry.name.startswith("_"):
            continue
        module = importlib.import_module(f"{causes.__name__}.{entry.name}")
        kinds = [
            member
            for member in vars(module).values()
            if inspect.isclass(member)
            and issubclass(member, Rule)
            and member.__module__ == module.__name__
        ]
        if len(kinds) != 1:
            raise TypeError(f"{module.__name__} must define exactly one Rule, it has {len(kinds)}")
        rule = kinds[0]()
        if rule.slug != entry.name.replace("_", "-"):
            raise ValueError(f"{module.__name__} names its slug {rule.slug!r}")
        found[rule.slug] = rule
    return tuple(found[slug] for slug in sorted(found))


def rule_named(slug: str) -> Rule | None:
    """The rule of a slug, or None."""
    return next((rule for rule in all_rules() if rule.slug == slug), None)
