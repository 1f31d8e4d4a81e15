"""Writes a fix into the user's files, keeps what stood there, and puts it back.

Each file is replaced in one move, with its mode and line ends kept. What stood there before goes to
the user's state folder first, so that `undo` restores every byte.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import tempfile
import time
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagnoser.errors import DiagnoserError
from diagnoser.fixes.patch import apply_edits
from diagnoser.schema import Fix

MANIFEST = "manifest.json"


class FixRefused(DiagnoserError):
    """A fix is not written, or not taken back; nothing was changed."""


@dataclass(frozen=True)
class Applied:
    """A fix that was written, or taken back: the name of its backup and the files."""

    name: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class _Change:
    """One file with the bytes that stand there and those that are to stand there."""

    path: Path
    old: bytes
    new: bytes


def backup_folder() -> Path:
    """Where backups are kept: below the user's state folder."""
    from platformdirs import user_state_path

    return user_state_path("diagnoser") / "backups"


def apply_fix(
    fix: Fix, sources: Mapping[str, str], *, force: bool = False, backups: Path | None = None
) -> Applied:
    """Write a fix whose edits name absolute paths into the files that were examined.

    Raises:
        FixRefused: there is no exact edit, it is not verified and `force` is not set, a file has
            changed since it was read into `sources`, or a file cannot be written.
    """
    if not fix.edits:
        raise FixRefused("there is no exact edit to write", "Change the lines by hand.")
    if fix.verified != "verified" and not force:
        raise FixRefused(
            f"the change is not verified ({fix.verified}), so it is not written",
            "Give --force to write it all the same.",
        )
    for path in sorted({edit.file for edit in fix.edits}):
        if not _stands(Path(path), sources.get(path)):
            raise FixRefused(
                f"{path} has changed since the run, so nothing is written",
                "Run it again: the change is then worked out for the file as it is.",
            )
    patched = apply_edits(sources, fix.edits)
    if patched is None:
        raise FixRefused("the edits do not fit the file", "Change the lines by hand.")
    changes = [_change(Path(path), sources[path], text) for path, text in patched.items()]
    folder = _keep(changes, backups or backup_folder())
    _replace_all(changes)
    return Applied(folder.name, tuple(change.path for change in changes))


def undo(name: str, *, backups: Path | None = None) -> Applied:
    """Put back, byte for byte, what a fix replaced.

    Raises:
        FixRefused: there is no such backup, it was taken back already, or a file was edited since.
    """
    folder = (backups or backup_folder()) / Path(name).name
    manifest = _manifest(folder)
    if manifest is None:
        raise FixRefused(f"there is no backup {name!r}", "Nothing was changed.")
    if manifest["undone"]:
        raise FixRefused(f"the change {name} was taken back already", "Nothing was changed.")
    changes = []
    for number, entry in enumerate(manifest["files"]):
        path, now = Path(entry["path"]), _bytes_of(Path(entry["path"]))
        if now is None or _digest(now) != entry["written"]:
            raise FixRefused(
                f"{path} was edited after the change, so it is left as it is",
                f"What stood there before is kept in {folder / str(number)}.",
            )
        changes.append(_Change(path, now, (folder / str(number)).read_bytes()))
    _replace_all(changes)
    _write_manifest(folder, {**manifest, "undone": True})
    return Applied(folder.name, tuple(change.path for change in changes))


def last_applied(files: Sequence[Path], *, backups: Path | None = None) -> str | None:
    """The name of the latest backup, not taken back, that concerns one of these files."""
    wanted = {str(path.resolve()) for path in files}
    root = backups or backup_folder()
    for folder in sorted(root.iterdir(), reverse=True) if root.is_dir() else ():
        manifest = _manifest(folder)
        if manifest is None or manifest["undone"]:
            continue
        if wanted & {str(entry["path"]) for entry in manifest["files"]}:
            return folder.name
    return None


def _stands(path: Path, text: str | None) -> bool:
    data = _bytes_of(path)
    return data is not None and text is not None and _decoded(data)[0] == text


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _decoded(data: bytes) -> tuple[str | None, str]:
    """A Python file's text, None if it cannot be read, and its encoding."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding), encoding
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None, "utf-8"


def _change(path: Path, old_text: str, new_text: str) -> _Change:
    real = path.resolve()
    data = real.read_bytes()
    text, encoding = _decoded(data)
    try:
        if text != old_text or text.encode(encoding) != data:
            raise FixRefused(f"{path} cannot be written back as it was read", "Change it by hand.")
        return _Change(real, data, new_text.encode(encoding))
    except UnicodeEncodeError as error:
        raise FixRefused(
            f"the change does not fit {path}'s encoding ({encoding})", "Change it by hand."
        ) from error


def _keep(changes: Sequence[_Change], root: Path) -> Path:
    """Copy what stands there into a new backup folder that only the user can read."""
    try:
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        prefix = f"{stamp}-{time.time_ns() % 1_000_000_000:09d}-"
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
        for number, change in enumerate(changes):
            _write_private(folder / str(number), change.old)
        files = [{"path": str(change.path), "written": _digest(change.new)} for change in changes]
        _write_manifest(folder, {"files": files, "undone": False})
    except OSError as error:
        raise FixRefused(
            f"no backup can be kept in {root}: {error.strerror}",
            "Nothing was changed. XDG_STATE_HOME names another folder.",
        ) from error
    return folder


def _write_private(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    temporary = folder / f"{MANIFEST}.new"
    temporary.unlink(missing_ok=True)
    _write_private(temporary, json.dumps(manifest, indent=2).encode())
    temporary.replace(folder / MANIFEST)


def _manifest(folder: Path) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    known = isinstance(found, dict) and isinstance(found.get("files"), list) and "undone" in found
    return found if known else None


def _replace_all(changes: Sequence[_Change]) -> None:
    """Replace all files, or none: what was replaced is put back if a later one fails."""
    done: list[_Change] = []
    try:
        for change in changes:
            if _bytes_of(change.path) != change.old:
                raise FixRefused(f"{change.path} has just been changed", "Nothing was written.")
            done.append(change)
            _replace(change.path, change.new)
    except BaseException as error:
        for change in done:
            if _bytes_of(change.path) == change.new:
                _replace(change.path, change.old)
        if isinstance(error, OSError):
            raise FixRefused(
                f"cannot write {error.filename}: {error.strerror}", "Nothing was changed."
            ) from error
        raise


def _replace(path: Path, data: bytes) -> None:
    """Replace a file in one move; its mode stays, and its owner where that is allowed."""
    state = path.stat()
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            with contextlib.suppress(OSError):
                os.fchown(file.fileno(), state.st_uid, state.st_gid)
            os.fchmod(file.fileno(), state.st_mode & 0o7777)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
