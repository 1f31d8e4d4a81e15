"""What is configured: flags, then DIAGNOSER_* variables, then pyproject.toml, then the user's file.

The nearest `pyproject.toml` above the target with a `[tool.diagnoser]` table counts. The key of a
model's endpoint is no setting: it is read from the environment only, when it is needed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from diagnoser.errors import InputError
from diagnoser.schema import Frozen

PREFIX = "DIAGNOSER_"
NO_SETTINGS = frozenset({"API_KEY", "SEAM", "WARM"})
"""Variables of this prefix that are read elsewhere."""
TABLE = "diagnoser"


class Settings(Frozen):
    """All settings; None leaves the choice to what reads it."""

    model: str | None = None
    """The model's name, as its endpoint knows it."""
    base_url: str | None = None
    """An OpenAI-compatible endpoint, such as http://127.0.0.1:8080/v1."""
    llm: bool | None = None
    """True asks the model always, False never, None where it can add something."""
    yes_send: bool = False
    """Whether texts may be sent to the endpoint without asking."""
    budget: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Wall seconds for everything but the model."""
    steps: int | None = Field(default=None, ge=1)
    """Densely observed steps."""
    prompt_bytes: int = Field(default=24_000, ge=1_000)
    """Bytes of source that a prompt may hold."""
    model_timeout: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds to wait for one answer of the model."""


def load_settings(
    flags: Mapping[str, Any],
    beside: Path,
    environ: Mapping[str, str] | None = None,
    config: Path | None = None,
) -> Settings:
    """Merge the four sources; a flag that is None was not given.

    `beside` is the target, or the folder to look from; `config` the user's own file.

    Raises:
        InputError: a key is unknown, a value does not fit, or a file cannot be read.
    """
    environ = os.environ if environ is None else environ
    user = _table(config or user_config(environ), whole=True)
    project_file, project = _project(beside)
    surroundings = _variables(environ)
    given = {key: value for key, value in flags.items() if value is not None}
    settings = Settings()
    for source, values in (
        ("the user's config.toml", user),
        (str(project_file), project),
        ("the environment", surroundings),
        ("the command line", given),
    ):
        settings = _merged(settings, values, source)
    above = {**surroundings, **given}
    if "base_url" in project and "base_url" not in above and "yes_send" not in above:
        # What a project's file names as the host, only the user agrees to send to.
        settings = settings.model_copy(update={"yes_send": False})
    return settings


def user_config(environ: Mapping[str, str]) -> Path:
    """The user's own file of settings; an override of the folder is honoured."""
    home = environ.get("XDG_CONFIG_HOME")
    if home:
        return Path(home) / "diagnoser" / "config.toml"
    import platformdirs

    return platformdirs.user_config_path("diagnoser") / "config.toml"


def _merged(below: Settings, values: Mapping[str, Any], source: str) -> Settings:
    known = list(Settings.model_fields)
    for key in values:
        if key not in known:
            raise InputError(
                f"{source} sets {key!r}, which is no setting of diagnoser",
                f"The settings are {', '.join(known)}.",
            )
    try:
        checked = Settings.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{source} sets {key} to what it cannot be: {first['msg']}",
            f"Give {key} another value.",
        ) from None
    update = {key: getattr(checked, key) for key in values}
    return below.model_copy(update=update)


def _variables(environ: Mapping[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in environ.items():
        rest = name.removeprefix(PREFIX)
        if name.startswith(PREFIX) and rest not in NO_SETTINGS and value:
            found[rest.lower()] = value
    return found


def _project(beside: Path) -> tuple[Path, dict[str, Any]]:
    start = beside.absolute()
    for folder in (start, *start.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            table = _table(path, whole=False)
            if table:
                return path, table
    return Path("pyproject.toml"), {}


def _table(path: Path, *, whole: bool) -> dict[str, Any]:
    """A TOML file's settings: all of it, or its `[tool.diagnoser]`; {} without a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", "Mend the file or remove it.") from error
    if not whole and TABLE not in text:
        return {}
    read = _toml(text, path)
    if whole:
        return read
    tool = read.get("tool")
    table = tool.get(TABLE, {}) if isinstance(tool, dict) else {}
    return dict(table) if isinstance(table, dict) else {}


def _toml(text: str, path: Path) -> dict[str, Any]:
    import sys

    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        read: dict[str, Any] = tomllib.loads(text)
        return read
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {error}", "Mend the file or remove it.") from error
