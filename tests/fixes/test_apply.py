"""A fix is written only where it was proven, and taken back to the byte."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from diagnoser.fixes import apply as applying
from diagnoser.fixes.apply import FixRefused, apply_fix, last_applied, undo
from diagnoser.intake.sources import read_source
from diagnoser.schema import Edit, Fix

TEXT = "import os\nloss.backward()\nopt.step()\n"


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    """Where backups go."""
    return tmp_path / "state" / "backups"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A script that a fix is for."""
    path = tmp_path / "train.py"
    path.write_bytes(TEXT.encode())
    return path


def fix_for(*paths: Path, verified: str = "verified") -> Fix:
    """One more line behind `opt.step()`."""
    after = "opt.step()\nopt.zero_grad()"
    edits = [
        Edit(file=str(path), line=3, cause="missing-zero-grad", before="opt.step()", after=after)
        for path in paths
    ]
    return Fix(summary="Clear the gradients", edits=tuple(edits), verified=verified)


def sources(*paths: Path) -> dict[str, str]:
    """The files as they were read."""
    return {str(path): read_source(path) or "" for path in paths}


def test_it_writes_and_undoes_to_the_byte(script: Path, backups: Path) -> None:
    done = apply_fix(fix_for(script), sources(script), backups=backups)
    assert done.files == (script,)
    assert script.read_text() == TEXT + "opt.zero_grad()\n"
    assert last_applied([script], backups=backups) == done.name
    undo(done.name, backups=backups)
    assert script.read_bytes() == TEXT.encode()
    assert last_applied([script], backups=backups) is None
    assert sorted(path.name for path in script.parent.iterdir()) == ["state", "train.py"]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.rstrip("\n").encode(),
        "# -*- coding: latin-1 -*-\n# caf\xe9\nopt.step()\n".encode("latin-1"),
    ],
    ids=["crlf", "bom", "no last line end", "latin-1"],
)
def test_line_ends_and_encoding_are_kept(script: Path, backups: Path, data: bytes) -> None:
    script.write_bytes(data)
    done = apply_fix(fix_for(script), sources(script), backups=backups)
    end = b"\r\n" if b"\r\n" in data else b"\n"
    assert script.read_bytes() == data.replace(
        b"opt.step()", b"opt.step()" + end + b"opt.zero_grad()"
    )
    undo(done.name, backups=backups)
    assert script.read_bytes() == data


def test_the_mode_is_kept_and_the_backup_is_private(script: Path, backups: Path) -> None:
    script.chmod(0o751)
    done = apply_fix(fix_for(script), sources(script), backups=backups)
    assert stat.S_IMODE(script.stat().st_mode) == 0o751
    kept = backups / done.name
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept.iterdir()} == {0o600}
    undo(done.name, backups=backups)
    assert stat.S_IMODE(script.stat().st_mode) == 0o751


def test_a_link_stays_a_link(script: Path, backups: Path) -> None:
    link = script.parent / "link.py"
    link.symlink_to(script)
    done = apply_fix(fix_for(link), sources(link), backups=backups)
    assert link.is_symlink()
    assert "zero_grad" in script.read_text()
    assert done.files == (script,)


@pytest.mark.parametrize("state", ["symptom-remains", "broke-script", "not-run"])
def test_an_unverified_fix_needs_force(script: Path, backups: Path, state: str) -> None:
    with pytest.raises(FixRefused, match="not verified"):
        apply_fix(fix_for(script, verified=state), sources(script), backups=backups)
    assert script.read_text() == TEXT
    assert not backups.exists()
    apply_fix(fix_for(script, verified=state), sources(script), force=True, backups=backups)
    assert "zero_grad" in script.read_text()


@pytest.mark.parametrize("force", [False, True])
def test_a_file_that_changed_since_the_run_is_left_alone(
    script: Path, backups: Path, force: bool
) -> None:
    read = sources(script)
    script.write_text(TEXT + "# mine\n")
    with pytest.raises(FixRefused, match="has changed since the run"):
        apply_fix(fix_for(script), read, force=force, backups=backups)
    assert script.read_text() == TEXT + "# mine\n"


def test_a_file_that_is_gone_is_not_written(script: Path, backups: Path) -> None:
    read = sources(script)
    script.unlink()
    with pytest.raises(FixRefused):
        apply_fix(fix_for(script), read, backups=backups)
    assert not script.exists()


def test_undo_leaves_a_file_that_was_edited_since(script: Path, backups: Path) -> None:
    done = apply_fix(fix_for(script), sources(script), backups=backups)
    edited = script.read_text() + "# mine\n"
    script.write_text(edited)
    with pytest.raises(FixRefused, match="was edited after the change"):
        undo(done.name, backups=backups)
    assert script.read_text() == edited


def test_undo_twice_and_undo_of_nothing_are_refused(script: Path, backups: Path) -> None:
    done = apply_fix(fix_for(script), sources(script), backups=backups)
    undo(done.name, backups=backups)
    with pytest.raises(FixRefused, match="already"):
        undo(done.name, backups=backups)
    for name in ("nothing", "../..", ""):
        with pytest.raises(FixRefused, match="no backup"):
            undo(name, backups=backups)


def test_two_files_are_written_together_or_not_at_all(
    script: Path, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = script.parent / "other.py"
    other.write_text(TEXT)
    replace = applying._replace

    def failing(path: Path, data: bytes) -> None:
        if path == other and b"zero_grad" in data:
            raise OSError(28, "No space left on device", str(path))
        replace(path, data)

    monkeypatch.setattr(applying, "_replace", failing)
    with pytest.raises(FixRefused, match="No space left"):
        apply_fix(fix_for(script, other), sources(script, other), backups=backups)
    assert script.read_text() == other.read_text() == TEXT


def test_without_a_backup_nothing_is_written(script: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(FixRefused, match="no backup can be kept"):
        apply_fix(fix_for(script), sources(script), backups=tmp_path / "taken")
    assert script.read_text() == TEXT


def test_edits_that_do_not_fit_are_refused(script: Path, backups: Path) -> None:
    fix = fix_for(script)
    wrong = fix.edits[0].model_copy(update={"before": "optimizer.step()"})
    with pytest.raises(FixRefused, match="do not fit"):
        apply_fix(fix.model_copy(update={"edits": (wrong,)}), sources(script), backups=backups)
    with pytest.raises(FixRefused, match="no exact edit"):
        apply_fix(Fix(summary="?", verified="verified"), {}, backups=backups)


def test_the_latest_backup_of_a_file_is_found(script: Path, backups: Path) -> None:
    apply_fix(fix_for(script), sources(script), backups=backups)
    script.write_text(TEXT)
    second = apply_fix(fix_for(script), sources(script), backups=backups)
    (backups / "stray").mkdir()
    assert last_applied([script], backups=backups) == second.name
    assert last_applied([script.parent / "other.py"], backups=backups) is None


def test_the_state_folder_is_the_users(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    done = apply_fix(fix_for(script), sources(script))
    assert (tmp_path / "elsewhere" / "diagnoser" / "backups" / done.name).is_dir()
