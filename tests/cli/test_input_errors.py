"""What cannot be asked is refused in two lines with exit code 2, before anything runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Said

Diagnoser = Callable[..., Said]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder: a script, a binary file, a table, an empty folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("print('ran')\n")
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\0\1\2")
    (tmp_path / "rows.xyz").write_text("1,2\n")
    (tmp_path / "empty").mkdir()
    return tmp_path


ERRORS = {
    ("ask", "x", "missing.py"): ("missing.py", "script"),
    ("ask", "x", "empty"): ("__main__.py", "train.py"),
    ("ask", "x", "binary.py"): ("binary", ".py"),
    ("ask", "x", "rows.xyz"): (".xyz", ".py"),
    ("ask",): ("symptom", "Say what you see"),
    ("ask", "x", "train.py", "stray"): ("stray", "--"),
    ("ask", "x", "train.py", "--nope"): ("--nope", "--"),
    ("ask", "x", "train.py", "--steps", "0"): ("--steps 0", "1 or more"),
    ("ask", "x", "train.py", "--steps", "-3"): ("--steps -3", "1 or more"),
    ("ask", "x", "train.py", "--steps", "many"): ("--steps", "--help"),
    ("ask", "x", "train.py", "--stages", "probe,guess"): ("guess", "probe"),
    ("ask", "x", "train.py", "--stages", ","): ("no stage", "probe"),
    ("ask", "x", "train.py", "--budget", "0"): ("--budget 0", "above 0"),
    ("ask", "x", "train.py", "--budget", "-5"): ("--budget -5", "above 0"),
    ("ask", "x", "train.py", "--budget", "nan"): ("--budget nan", "above 0"),
    ("ask", "x", "train.py", "--budget", "soon"): ("--budget", "--help"),
    ("ask", "x", "train.py", "--cwd", "nowhere"): ("nowhere", "exists"),
    ("ask", "x", "train.py", "--cwd", "train.py"): ("train.py", "folder"),
    ("ask", "x", "train.py", "--record", "train.py"): ("train.py", "folder"),
    ("ask", "x", "train.py", "--output", "empty"): ("folder", "--output"),
    ("ask", "x", "train.py", "--output", "nowhere/a.json"): ("nowhere", "--output"),
    ("ask", "x", "train.py", "--format", "pdf"): ("pdf", "terminal"),
    ("ask", "x", "train.py", "--env", "NOVALUE"): ("NOVALUE", "NAME=VALUE"),
    ("ask", "x", "train.py", "--seed", "one"): ("--seed", "--help"),
    ("unheard-of",): ("unheard-of", "--help"),
    ("--unheard-of",): ("--unheard-of", "--help"),
    ("rules", "no-such-cause"): ("no-such-cause", "diagnoser rules"),
    ("rules", "missing-zero-gard"): ("missing-zero-gard", "missing-zero-grad"),
    ("rules", "lr-too-high", "--table"): ("--table", "one of the two"),
    ("rules", "--", "x"): ("--", "--help"),
    ("doctor", "--python", "nowhere"): ("nowhere", "interpreter"),
    ("doctor", "--python", "/bin/true"): ("/bin/true", "interpreter"),
    ("eval", "nowhere"): ("nowhere", "case"),
    ("eval", "empty"): ("case.toml", "case"),
    ("eval", "--workers", "0"): ("--workers 0", "1 or more"),
    ("eval", "--budget", "-1"): ("--budget -1", "above 0"),
    ("eval", "--stages", "x"): ("x", "probe"),
    ("eval", "--fail-under", "top9=1"): ("top9", "top1"),
    ("eval", "--fail-under", "top1=high"): ("top1=high", "top1=0.9"),
    ("eval", "--only", "no-such-case"): ("no-such-case", "--only"),
    ("eval", "--output", "nowhere/a.json"): ("nowhere", "--output"),
}  # fmt: skip


def check_refused(said: Said, wrong: str, advice: str) -> None:
    """Two lines on standard error, none on standard output, exit code 2."""
    assert said.code == 2
    assert said.out == ""
    assert len(said.complaint) == 2, said.err
    assert said.complaint[0].startswith("error: ")
    assert wrong in said.complaint[0]
    assert advice in said.complaint[1]
    assert "Traceback" not in said.err


@pytest.mark.parametrize("words", ERRORS, ids=" ".join)
def test_it_says_what_is_wrong_and_what_to_do(words: tuple[str, ...], diagnoser: Diagnoser) -> None:
    check_refused(diagnoser(*words), *ERRORS[words])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_output_that_cannot_be_written_is_refused(diagnoser: Diagnoser, folder: Path) -> None:
    (folder / "empty").chmod(0o500)
    said = diagnoser("ask", "x", "train.py", "--output", "empty/a.json")
    check_refused(said, "permission", "--output")


def test_an_interpreter_that_does_not_exist_is_refused(diagnoser: Diagnoser) -> None:
    said = diagnoser("ask", "x", "train.py", "--python", "/nowhere/python", "--quiet")
    check_refused(said, "/nowhere/python", "--python")


def test_a_record_folder_that_cannot_be_made_is_refused(diagnoser: Diagnoser) -> None:
    said = diagnoser("ask", "x", "train.py", "--record", "train.py/records", "--quiet")
    check_refused(said, "train.py/records", "--record")


def test_control_characters_in_an_argument_are_shown_escaped(diagnoser: Diagnoser) -> None:
    said = diagnoser("ask", "x", "bad\x1b[31m.py")
    check_refused(said, "bad", "script")
    assert "\x1b" not in said.err


def test_nothing_ran(diagnoser: Diagnoser, folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    for words in ERRORS:
        diagnoser(*words)
    assert sorted(path.name for path in folder.iterdir()) == before
