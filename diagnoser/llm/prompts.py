"""Renders the templates of `prompts/`; their hash says which ones an answer was made with."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

from diagnoser.report.literal import literal
from diagnoser.resources import resource_folder

if TYPE_CHECKING:
    from jinja2 import Environment

HASH_DIGITS = 12


def render(name: str, **values: object) -> str:
    """One template with these values; an undefined one is an error."""
    return _environment().get_template(f"{name}.md.j2").render(**values).strip() + "\n"


@cache
def prompt_hash() -> str:
    """The version of the templates: a hash over their names and texts."""
    digest = hashlib.sha256()
    for path in sorted(resource_folder("prompts").glob("*.j2")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:HASH_DIGITS]


def data_lines(text: str) -> str:
    """Text as data: control characters escaped, each line behind a bar, so none ends a fence."""
    shown = literal(text.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(f"| {line}" for line in shown.split("\n"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource_folder("prompts")),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
    )
    environment.filters["data"] = data_lines
    return environment
