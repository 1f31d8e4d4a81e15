"""Reads cases: a folder with broken/, fixed/ and case.toml (the format is in docs/cases.md)."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from diagnoser.errors import InputError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MODES = ("script", "notebook", "command", "text")
LOG = "log.txt"
LOCATION = re.compile(r"(?P<file>.+?)(?:\[(?P<cell>\d+)\])?:(?P<line>\d+)")


@dataclass(frozen=True)
class Place:
    """A labelled line; `cell` counts a notebook's cells from 1."""

    file: str
    line: int
    cell: int | None = None


@dataclass(frozen=True)
class Case:
    """One labelled case; `broken` and `fixed` are None where the case has no such folder."""

    name: str
    mode: str
    symptom: str
    causes: tuple[str, ...]
    broken: Path | None
    fixed: Path | None
    target: str | None = None
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
    locations: tuple[Place, ...] = ()
    budget: float = 60.0
    needs: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether there is no fault in it."""
        return not self.causes

    @property
    def missing(self) -> tuple[str, ...]:
        """Packages that it needs and that are not installed here."""
        return tuple(name for name in self.needs if not _installed(name))


def load_cases(folders: Sequence[Path], only: str = "*") -> tuple[Case, ...]:
    """All cases of suites or single case folders, by name, each once.

    Raises:
        InputError: a folder holds no case, or a case.toml cannot be read.
    """
    found: dict[Path, Case] = {}
    for folder in folders:
        homes = _homes(folder)
        if not homes:
            raise InputError(
                f"{folder} is no suite: neither it nor a folder in it has a case.toml",
                "Give a folder of cases, or one case (docs/cases.md shows the format).",
            )
        for home in homes:
            found[home.resolve()] = load_case(home)
    counts = Counter(case.name for case in found.values())
    cases = sorted(
        (
            replace(case, name=f"{home.parent.name}/{case.name}") if counts[case.name] > 1 else case
            for home, case in found.items()
        ),
        key=lambda case: case.name,
    )
    return tuple(case for case in cases if fnmatch(case.name.rpartition("/")[2], only))


def _homes(folder: Path) -> list[Path]:
    if (folder / "case.toml").is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob("*/case.toml")) if folder.is_dir() else []


def load_case(folder: Path) -> Case:
    """Read one case; unknown keys are ignored.

    Raises:
        InputError: case.toml cannot be read, or what it needs is missing or has the wrong type.
    """
    path = folder / "case.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "Mend its TOML.") from error
    mode = _text(raw, "mode", path)
    if mode not in MODES:
        raise InputError(f"{path} has the mode {mode!r}", f"The modes are {', '.join(MODES)}.")
    if "causes" not in raw:
        raise _wrong(path, "causes", "a list of slugs; [] is a clean case")
    case = Case(
        name=folder.resolve().name,
        mode=mode,
        symptom=_text(raw, "symptom", path),
        causes=_texts(raw, "causes", path),
        broken=_folder(folder / "broken"),
        fixed=_folder(folder / "fixed"),
        target=_text(raw, "target", path) if raw.get("target") else None,
        args=_texts(raw, "args", path),
        command=_texts(raw, "command", path),
        accept=_texts(raw, "accept", path),
        locations=tuple(_place(text, path) for text in _texts(raw, "locations", path)),
        budget=_budget(raw, path),
        needs=_texts(raw, "needs", path),
    )
    return _complete(case, path)


def _complete(case: Case, path: Path) -> Case:
    """Check that there is something to ask about."""
    if case.mode == "text":
        if case.target is None and case.broken is not None and (case.broken / LOG).is_file():
            return replace(case, target=LOG)
        return case
    needed = "fixed" if case.clean else "broken"
    if getattr(case, needed) is None:
        raise InputError(f"{path.parent} has no {needed}/", "docs/cases.md shows the format.")
    if case.mode == "command" and not case.command:
        raise _wrong(path, "command", "the command to run")
    if case.mode in ("script", "notebook") and case.target is None:
        raise _wrong(path, "target", "the file to ask about")
    return case


def _wrong(path: Path, key: str, wanted: str) -> InputError:
    return InputError(f"{path} has no usable `{key}`", f"Give `{key}`: {wanted}.")


def _text(raw: Mapping[str, Any], key: str, path: Path) -> str:
    value = raw.get(key)
    if not isinstance(value, str):
        raise _wrong(path, key, "a text")
    return value


def _texts(raw: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    value = raw.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise _wrong(path, key, "a list of texts")
    return tuple(value)


def _budget(raw: Mapping[str, Any], path: Path) -> float:
    value = raw.get("budget", 60)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise _wrong(path, "budget", "seconds above 0")
    return float(value)


def _place(text: str, path: Path) -> Place:
    match = LOCATION.fullmatch(text)
    if match is None:
        raise _wrong(path, "locations", f"`path:line` or `path[cell]:line`, not {text!r}")
    cell = match["cell"]
    return Place(match["file"], int(match["line"]), None if cell is None else int(cell))


def _folder(path: Path) -> Path | None:
    return path if path.is_dir() else None


def _installed(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        module = name.replace("-", "_")
        return module.isidentifier() and importlib.util.find_spec(module) is not None
    return True
