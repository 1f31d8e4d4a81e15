"""A line is inserted below a statement of its own, with its indentation."""

from __future__ import annotations

import pytest

from diagnoser.fixes.patch import apply_edits
from diagnoser.rules.base import Source
from diagnoser.rules.source_edits import insert_after
from diagnoser.schema import Location

FILE = "/home/me/train.py"
PATTERN = r"(?P<optimizer>[\w.\[\]'\"]+)\.step\("


def inserted(text: str, line: int) -> str | None:
    place = Location(file=FILE, line=line)
    edit = insert_after(
        Source({FILE: text}), place, PATTERN, "{optimizer}.zero_grad()", "missing-zero-grad"
    )
    if edit is None:
        return None
    changed = apply_edits({FILE: text}, [edit])
    return None if changed is None else changed[FILE]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("opt.step()\n", "opt.step()\nopt.zero_grad()\n"),
        ("self.opt['g'].step()\n", "self.opt['g'].step()\nself.opt['g'].zero_grad()\n"),
        ("opt.step()  # update\n", "opt.step()  # update\nopt.zero_grad()\n"),
        ("opt.step()", "opt.step()\nopt.zero_grad()\n"),
    ],
)
def test_the_line_is_inserted_below(before: str, after: str) -> None:
    found = inserted(before, 1)
    assert found is not None
    assert found.rstrip("\n") == after.rstrip("\n")


def test_the_indentation_is_kept_with_tabs_too() -> None:
    text = "for _ in range(3):\n\topt.step()\n\tx = 1\n"
    assert inserted(text, 2) == "for _ in range(3):\n\topt.step()\n\topt.zero_grad()\n\tx = 1\n"


@pytest.mark.parametrize(
    "line",
    [
        "if ready: opt.step()",
        "opt.step(); x = 1",
        "for opt in both: opt.step()",
        "with lock: opt.step()",
        "update = lambda: opt.step(",
        "opt.step(",
        "x = [opt.step(),",
        "scheduler.advance()",
        "return opt.step()",
    ],
)
def test_no_edit_where_the_line_is_no_statement_of_its_own(line: str) -> None:
    assert inserted(f"{line}\n", 1) is None


@pytest.mark.parametrize("number", [0, 2, 99])
def test_no_edit_at_a_line_that_does_not_exist(number: int) -> None:
    assert inserted("opt.step()\n", number) is None


def test_a_statement_that_goes_on_is_not_cut_in_two() -> None:
    text = "loss = (opt.step()\n        or 1)\n"
    assert inserted(text, 1) is None
