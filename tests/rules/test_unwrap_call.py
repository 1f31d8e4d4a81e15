"""A softmax or sigmoid is taken out of a line, and nothing else of the file changes."""

from __future__ import annotations

import pytest

from diagnoser.fixes.patch import apply_edits
from diagnoser.rules.base import Source
from diagnoser.rules.unwrap_call import unwrap_call
from diagnoser.schema import Edit, Location

FILE = "/home/me/net.py"
NAMES = ("softmax", "Softmax", "sigmoid", "Sigmoid")


def unwrap(text: str, line: int = 1) -> Edit | None:
    place = Location(file=FILE, line=line)
    return unwrap_call(Source({FILE: text}), place, NAMES, "softmax-before-cross-entropy")


def patched(text: str, line: int = 1) -> str | None:
    """The whole file after the edit; None if there is none."""
    edit = unwrap(text, line)
    if edit is None:
        return None
    changed = apply_edits({FILE: text}, [edit])
    assert changed is not None
    return changed[FILE]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = F.softmax(h, dim=1)\n", "y = h\n"),
        ("y = torch.softmax(self.head(h), -1)\n", "y = self.head(h)\n"),
        ("y = h.softmax(dim=1)\n", "y = h\n"),
        ("y = self.head(h).softmax(1)\n", "y = self.head(h)\n"),
        ("y = torch.nn.functional.softmax(h, 1)\n", "y = h\n"),
        ("y = softmax(h)\n", "y = h\n"),
        ("y = torch.sigmoid(a + b) * c\n", "y = (a + b) * c\n"),
        ("y = F.softmax(h, dim=1).log()\n", "y = h.log()\n"),
        ("y = F.softmax(x[0], dim=1)  # a comment, kept\n", "y = x[0]  # a comment, kept\n"),
        ("y = 'größe' and F.softmax(h, 1)\n", "y = 'größe' and h\n"),
        ("\ty = 1\n", None),
    ],
)
def test_a_call_becomes_its_input(before: str, after: str | None) -> None:
    text = before.lstrip("\t") if after is None else before
    assert patched(text) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "net = nn.Sequential(nn.Linear(4, 2), nn.Softmax(dim=1))\n",
            "net = nn.Sequential(nn.Linear(4, 2))\n",
        ),
        (
            "net = nn.Sequential(nn.Softmax(dim=1), nn.Linear(4, 2))\n",
            "net = nn.Sequential(nn.Identity(), nn.Linear(4, 2))\n",
        ),
        ("self.out = nn.Sigmoid()\n", "self.out = nn.Identity()\n"),
        ("self.out = torch.nn.Softmax(1)\n", "self.out = torch.nn.Identity()\n"),
    ],
)
def test_a_layer_is_left_out_at_the_end_and_else_replaced(before: str, after: str) -> None:
    assert patched(before) == after


def test_a_layer_on_a_line_of_its_own_is_left_out() -> None:
    text = "net = nn.Sequential(\n    nn.Linear(4, 2),\n    nn.Softmax(dim=1),\n)\n"
    found = patched(text, 3)
    assert found is not None
    assert "Softmax" not in found
    assert compile(found, "net.py", "exec")


def test_a_call_over_several_lines_keeps_the_rest() -> None:
    text = "def f(h):\n    return F.softmax(\n        h,\n        dim=1,\n    )\n\n\nx = 1\n"
    assert patched(text, 2) == "def f(h):\n    return h\n\n\nx = 1\n"


@pytest.mark.parametrize(
    "text",
    [
        "y = F.softmax(a, 1) + F.softmax(b, 1)\n",
        "y = h\n",
        "y = F.softmax()\n",
        "y = Softmax(dim=1)\n",
        "y = F.softmax(\n",
    ],
)
def test_no_edit_where_it_would_be_a_guess(text: str) -> None:
    assert unwrap(text) is None


def test_no_edit_in_a_file_that_is_not_the_users() -> None:
    place = Location(file="/elsewhere.py", line=1)
    assert unwrap_call(Source({FILE: "y = F.softmax(h)\n"}), place, NAMES, "x") is None


def test_line_ends_of_the_file_are_kept() -> None:
    assert patched("x = 1\r\ny = F.softmax(h, 1)\r\nz = 2\r\n", 2) == "x = 1\r\ny = h\r\nz = 2\r\n"


def test_a_file_without_a_last_line_end_is_edited() -> None:
    edit = unwrap("y = F.softmax(h, 1)")
    assert edit is not None
    assert (edit.before, edit.after) == ("y = F.softmax(h, 1)", "y = h")


@pytest.mark.parametrize("separator", ["\x0c", "\u2028", "\x1c", "\x85"])
def test_characters_that_end_no_line_of_python_do_not_shift_the_edit(separator: str) -> None:
    text = f"# a{separator}b\nx = 1\ny = F.softmax(h, 1)\n"
    assert patched(text, 3) == f"# a{separator}b\nx = 1\ny = h\n"
