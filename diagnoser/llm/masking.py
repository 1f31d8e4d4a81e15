"""Changes that hide a symptom instead of removing its cause. Pure."""

from __future__ import annotations

import ast
from collections import Counter

HIDING_CALLS = {
    "nan_to_num": "replaces NaN after the fact",
    "filterwarnings": "silences warnings",
    "simplefilter": "silences warnings",
    "exit": "ends the script early",
    "_exit": "ends the script early",
    "kill": "ends the script early",
    "suppress": "swallows the exception",
}
KEPT_CALLS = {"backward": "no longer computes gradients", "step": "no longer steps an optimizer"}


def hides_symptom(before: str, after: str) -> list[str]:
    """What a patched text does to hide the symptom, in sentences; [] if nothing."""
    old, new = _counted(before), _counted(after)
    found = []
    if new["try"] > old["try"]:
        found.append("it catches the exception instead of removing its cause")
    if new["leave"] > old["leave"]:
        found.append("it skips work with continue, break, pass or return instead of mending it")
    for name, what in HIDING_CALLS.items():
        if new[f"call {name}"] > old[f"call {name}"]:
            found.append(f"it {what} ({name})")
    for name, what in KEPT_CALLS.items():
        if old[f"call {name}"] and not new[f"call {name}"]:
            found.append(f"it {what} ({name})")
    return found


def _counted(text: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return counts
    for node in ast.walk(tree):
        if isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try))):
            counts["try"] += 1
        elif isinstance(node, (ast.Continue, ast.Break, ast.Pass)) or (
            isinstance(node, ast.Return) and node.value is None
        ):
            counts["leave"] += 1
        elif isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else ""
            counts[f"call {function.id if isinstance(function, ast.Name) else name}"] += 1
    return counts
