"""The pieces of the terminal report: a labelled section and short texts for single values."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text

from diagnoser.report.literal import literal, one_line
from diagnoser.schema import Location, RunSummary


@dataclass(frozen=True)
class Section:
    """A label in the margin and the lines beside it; without lines it is left out."""

    label: str
    lines: list[Text]


def place_text(place: Location) -> str:
    """`train.py:31`, in a notebook `demo.ipynb[4]:7`."""
    cell = "" if place.cell is None else f"[{place.cell}]"
    return f"{literal(place.file)}{cell}:{place.line}"


def number_text(value: float | str | None) -> str:
    """A measured value in four digits; texts in quotes, on one line."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f'"{one_line(value)}"'
    return f"{value:.4g}"


def change_line(text: str) -> Text:
    """One line of a diff, coloured where there are colours."""
    styles = {"+": "green", "-": "red", "@": "cyan"}
    style = "dim" if text.startswith(("+++", "---")) else styles.get(text[:1], "")
    return Text(text, style=style)


def run_text(run: RunSummary) -> str:
    """What one run did."""
    code = "" if run.exit is None else f", exit {run.exit}"
    rank = f" rank {run.rank}" if run.rank else ""
    name = "" if run.name == run.role else f" ({one_line(run.name)})"
    return f"{run.role}{name}{rank}: {run.stopped}{code}, {run.steps} steps, {run.seconds:.1f} s"
