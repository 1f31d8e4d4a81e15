"""Edits are applied exactly or not at all, and the diff is one that other tools take."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from diagnoser.fixes.patch import apply_edits, diff_of, relative
from diagnoser.schema import Edit

FILE = "/home/me/train.py"
TEXT = "import torch\n\nfor _ in range(3):\n    loss.backward()\n    opt.step()\n"


def edit(line: int, before: str, after: str, file: str = FILE) -> Edit:
    return Edit(file=file, line=line, cause="missing-zero-grad", before=before, after=after)


INSERT = edit(5, "    opt.step()", "    opt.step()\n    opt.zero_grad()")


def test_a_line_is_replaced_by_two() -> None:
    changed = apply_edits({FILE: TEXT}, [INSERT])
    assert changed == {FILE: TEXT + "    opt.zero_grad()\n"}


def test_edits_of_one_file_do_not_shift_each_other() -> None:
    first = edit(1, "import torch", "import os\nimport torch")
    for edits in ([first, INSERT], [INSERT, first]):
        changed = apply_edits({FILE: TEXT}, edits)
        assert changed == {FILE: f"import os\n{TEXT}    opt.zero_grad()\n"}


def test_several_files_are_patched_and_others_left_out() -> None:
    sources = {FILE: TEXT, "/home/me/net.py": "x = 1\n", "/home/me/data.py": "z = 3\n"}
    changed = apply_edits(sources, [INSERT, edit(1, "x = 1", "x = 2", "/home/me/net.py")])
    assert changed is not None
    assert set(changed) == {FILE, "/home/me/net.py"}


@pytest.mark.parametrize(
    "wrong",
    [
        edit(4, "    opt.step()", "x"),
        edit(5, "opt.step()", "x"),
        edit(99, "    opt.step()", "x"),
        edit(5, "    opt.step()", "    opt.step("),
        edit(5, "    opt.step()", "  opt.step()"),
        edit(1, "import torch", "import torch", "/elsewhere.py"),
    ],
    ids=["other line", "other indentation", "no such line", "no syntax", "dedent", "other file"],
)
def test_an_edit_that_does_not_fit_changes_nothing(wrong: Edit) -> None:
    assert apply_edits({FILE: TEXT}, [wrong]) is None
    assert apply_edits({FILE: TEXT}, [INSERT, wrong]) is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_are_kept(end: str) -> None:
    text = TEXT.replace("\n", end)
    changed = apply_edits({FILE: text}, [INSERT])
    assert changed == {FILE: f"{text}    opt.zero_grad(){end}"}


@given(
    lines=st.lists(st.sampled_from(["x = 1", "", "# größe", "if x:\n    y = 2"]), min_size=1),
    number=st.integers(0, 20),
)
def test_only_the_edited_line_changes(lines: list[str], number: int) -> None:
    text = "\n".join(lines) + "\n"
    split = text.splitlines()
    at = number % len(split)
    assume(split[at])
    after = split[at] + "  # seen" if not split[at].startswith("if") else split[at]
    changed = apply_edits({FILE: text}, [edit(at + 1, split[at], after)])
    assert changed is not None
    expected = [*split]
    expected[at] = after
    assert changed[FILE].splitlines() == expected


def apply_diff(tool: str, folder: Path, diff: str) -> None:
    """Apply a diff with git or patch in a folder."""
    command = {
        "git": ["git", "apply", "--whitespace=nowarn", "-"],
        "patch": ["patch", "-p1", "--binary", "--no-backup-if-mismatch"],
    }[tool]
    done = subprocess.run(command, input=diff.encode(), cwd=folder, capture_output=True)
    assert done.returncode == 0, (done.stdout, done.stderr)


TEXTS = {
    "plain": TEXT,
    "crlf": TEXT.replace("\n", "\r\n"),
    "unicode": f"# größe 日本\n{TEXT}",
    "no last line end": TEXT.rstrip("\n"),
}


@pytest.mark.parametrize("name", ["train.py", "pkg/my net.py"])
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("tool", ["git", "patch"])
def test_the_diff_applies(tool: str, kind: str, name: str, tmp_path: Path) -> None:
    path, text = tmp_path / name, TEXTS[kind]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    line = text.splitlines().index("    opt.step()") + 1
    change = edit(line, "    opt.step()", "    opt.step()\n    opt.zero_grad()", str(path))
    sources = {str(path): text}
    patched = apply_edits(sources, [change])
    assert patched is not None
    apply_diff(tool, tmp_path, diff_of(sources, patched, tmp_path))
    assert path.read_bytes().decode() == patched[str(path)]


def test_the_diff_names_files_relative_to_the_folder() -> None:
    sources = {FILE: TEXT}
    patched = apply_edits(sources, [INSERT])
    assert patched is not None
    diff = diff_of(sources, patched, Path("/home/me"))
    assert diff.startswith("--- a/train.py\n+++ b/train.py\n@@ ")
    assert "+    opt.zero_grad()\n" in diff


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/me/a/b.py", "a/b.py"),
        ("/elsewhere/b.py", "/elsewhere/b.py"),
        ("/home/me2/b.py", "/home/me2/b.py"),
    ],
)
def test_a_path_outside_the_folder_stays_whole(path: str, name: str) -> None:
    assert relative(path, Path("/home/me")) == name
