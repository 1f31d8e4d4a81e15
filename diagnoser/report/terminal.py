"""The answer for a person: about one screen, the exact next command last.

Text from scripts is data: it is escaped by `literal` and put into `Text` objects, never parsed as
markup.
"""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from diagnoser.report.layout import Section, change_line, number_text, place_text, run_text
from diagnoser.report.literal import literal, one_line
from diagnoser.report.model_sections import model_section, suggested
from diagnoser.report.next_command import next_command
from diagnoser.report.why import why_sections
from diagnoser.schema import Candidate, Evidence, Fix, Report, SymptomReading

MAX_WIDTH = 110
FILE_WIDTH = 100
MAX_PLACES = 3
MAX_EVIDENCE = 6
MAX_DIFF_LINES = 24
MAX_OTHERS = 3
MIN_CONFIDENCE = 0.01
"""Causes less likely than this are not worth a line."""

ERROR_CATEGORIES = ("device management", "shape", "program", "memory")
"""That no error was raised is plain to see; it takes no line of its own."""
SETTLED = ("confirmed", "observed")
VERIFIED = {
    "verified": "Yes: re-run with this change, the symptom is gone.",
    "symptom-remains": "No: re-run with this change, the symptom remains.",
    "broke-script": "No: with this change the script fails or shows a new fault.",
    "not-run": "Not verified: the change was not run.",
}
VERDICTS = {
    "healthy": "Nothing wrong found.",
    "inconclusive": "Inconclusive: no cause can be named from what was seen.",
    "not-reproduced": "Not reproduced: the symptom did not appear within the budget.",
    "not-run": "Not run: nothing was measured, so no cause is named.",
}


def to_terminal(
    report: Report,
    *,
    color: bool = False,
    verbose: bool = False,
    why: bool = False,
    width: int | None = None,
) -> str:
    """The report as text; with `color`, as a terminal shows it."""
    if width is None:
        width = min(shutil.get_terminal_size().columns, MAX_WIDTH) if color else FILE_WIDTH
    stream = io.StringIO()
    console = Console(
        file=stream,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        width=width,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    console.print(_verdict(report))
    sections = (
        _diagnosed(report, verbose) if report.status == "diagnosed" else _seen(report, verbose)
    )
    sections += _tail(report, verbose)
    if why:
        sections += why_sections(report)
    _print(console, [section for section in sections if section.lines])
    console.print(Text(f"\nNext: {next_command(report)}"), soft_wrap=True)
    text = stream.getvalue()
    return text if color else "\n".join(line.rstrip() for line in text.split("\n"))


def _print(console: Console, sections: Sequence[Section]) -> None:
    label_width = max((len(section.label) for section in sections), default=0)
    before = 2
    for section in sections:
        if before > 1 or len(section.lines) > 1:
            console.print()
        before = len(section.lines)
        grid = Table.grid(padding=(0, 2))
        grid.add_column(width=label_width, no_wrap=True)
        grid.add_column(overflow="fold")
        for number, line in enumerate(section.lines):
            grid.add_row(Text("" if number else section.label, style="bold"), line)
        console.print(grid)


def _verdict(report: Report) -> Text:
    if report.status != "diagnosed" or not report.candidates:
        color = "green" if report.status == "healthy" else "yellow"
        return Text(VERDICTS.get(report.status, "Diagnosed."), style=f"bold {color}")
    first = report.candidates[0]
    sentence = one_line(report.diagnosis.diagnosis) if report.diagnosis else first.title
    line = Text()
    line.append(
        f"Diagnosed ({first.grade}, {first.confidence:.0%}): ".replace("%", " %"), "bold red"
    )
    line.append(literal(first.cause), "bold")
    line.append(f" — {sentence}")
    if first.locations and place_text(first.locations[0]) not in sentence:
        line.append(f" ({place_text(first.locations[0])})")
    return line


def _diagnosed(report: Report, verbose: bool) -> list[Section]:
    """The five parts, then what else may be wrong."""
    first, diagnosis = report.candidates[0] if report.candidates else None, report.diagnosis
    sections = []
    if first is not None:
        places = first.locations if verbose else first.locations[:MAX_PLACES]
        sections.append(
            Section("Where", [_located(place_text(place), place.code) for place in places])
        )
    if diagnosis is not None:
        cited = [entry for entry in report.evidence if entry.id in diagnosis.evidence]
        sections += [
            Section("Evidence", _evidence(cited, verbose)),
            Section("Fix", _fix(diagnosis.fix, verbose)),
            Section("Verified", _verified(diagnosis.fix)),
            Section("Verify", _prose(diagnosis.verification)),
            Section("Prevent", _prose(diagnosis.prevention)),
        ]
    if not report.runs:
        note = "Nothing was run: this rests on the words and texts alone."
        sections.insert(0, Section("Note", [Text(note)]))
    also = [entry for entry in report.candidates[1:] if entry.grade in SETTLED]
    sections.append(Section("Also found", [_candidate(entry) for entry in also]))
    return [*sections, _others(report.candidates[1:])]


def _seen(report: Report, verbose: bool) -> list[Section]:
    """What was seen, where no fault is stated."""
    present = "no" if report.status == "healthy" else "yes"
    readings = [
        entry
        for entry in report.symptoms
        if entry.present == present
        and entry.note
        and (present == "yes" or entry.category not in ERROR_CATEGORIES)
    ]
    if report.status == "not-reproduced":
        readings = [entry for entry in report.symptoms if entry.present != "not-seen"]
    cited = report.diagnosis.evidence if report.diagnosis is not None else ()
    clearing = [entry for entry in report.evidence if not cited or entry.id in cited]
    guess = suggested(report)
    guessed = []
    if guess is not None:
        guessed = [
            Section("Suspected", _prose(guess.diagnosis)),
            Section("Fix", _fix(guess.fix, verbose)),
        ]
    return [
        *guessed,
        Section("Seen", [_reading(entry) for entry in readings]),
        Section("Evidence", _evidence(clearing, verbose)),
        Section("Runs", [Text(run_text(entry)) for entry in report.runs]),
        _others(report.candidates),
    ]


def _tail(report: Report, verbose: bool) -> list[Section]:
    """What was not judged, what failed, and the price."""
    sections = []
    if verbose or report.status == "inconclusive":
        missing = report.not_evaluated if verbose else report.not_evaluated[:8]
        lines = [Text(f"{literal(e.cause)}: {one_line(e.missing)}") for e in missing]
        if len(missing) < len(report.not_evaluated):
            lines.append(_more(len(report.not_evaluated) - len(missing)))
        sections.append(Section("Not evaluated", lines))
    failures = report.collector_failures if verbose else report.collector_failures[:2]
    sections.append(Section("Not watched", [Text(one_line(text)) for text in failures]))
    sections.append(model_section(report))
    price = report.seconds
    parts = [
        f"{name} {seconds:.1f}"
        for name, seconds in price
        if name != "total" and isinstance(seconds, float) and seconds >= 0.05
    ]
    detail = f" ({', '.join(parts)})" if parts else ""
    sandbox = f", sandbox: {report.sandbox}" if report.runs else ""
    text = f"{price.total:.1f} s{detail}, {len(report.runs)} runs{sandbox}"
    return [*sections, Section("Price", [Text(text, style="dim")])]


def _located(place: str, code: str) -> Text:
    line = Text(place, style="cyan")
    if code:
        line.append("   ").append(literal(code.strip()), "default")
    return line


def _evidence(entries: Sequence[Evidence], verbose: bool) -> list[Text]:
    shown = entries if verbose else entries[:MAX_EVIDENCE]
    lines = []
    for entry in shown:
        summary = one_line(entry.summary)
        line = Text(f"{literal(entry.id)}  ", style="cyan").append(summary, "default")
        if entry.location is not None and place_text(entry.location) not in summary:
            line.append(f" ({place_text(entry.location)})", "dim")
        lines.append(line)
    return [*lines, _more(len(entries) - len(shown))] if len(shown) < len(entries) else lines


def _fix(fix: Fix, verbose: bool) -> list[Text]:
    lines = [Text(one_line(fix.summary))] if fix.summary else []
    changes = list(_changes(fix))
    if not changes:
        return [
            *lines,
            Text("No exact edit could be made here; the next command shows the pattern."),
        ]
    shown = changes if verbose else changes[:MAX_DIFF_LINES]
    lines += [change_line(text) for text in shown]
    return [*lines, _more(len(changes) - len(shown))] if len(shown) < len(changes) else lines


def _changes(fix: Fix) -> Iterable[str]:
    """Lines of the diff; without one, the edits as removed and added lines."""
    if fix.diff:
        yield from literal(fix.diff).splitlines()
        return
    for edit in fix.edits:
        cell = "" if edit.cell is None else f"[{edit.cell}]"
        yield f"@@ {literal(edit.file)}{cell}:{edit.line} @@"
        yield from (f"-{line}" for line in literal(edit.before).splitlines())
        yield from (f"+{line}" for line in literal(edit.after).splitlines())


def _verified(fix: Fix) -> list[Text]:
    color = "green" if fix.verified == "verified" else "yellow"
    lines = [Text(VERIFIED[fix.verified], style=color)]
    for name in dict.fromkeys([*fix.before, *fix.after]):
        old, new = number_text(fix.before.get(name)), number_text(fix.after.get(name))
        if fix.verified != "not-run" and old != new:
            lines.append(Text(f"{one_line(name)}: {old} before, {new} after"))
    return lines


def _prose(text: str) -> list[Text]:
    return [Text(one_line(text))] if text.strip() else []


def _reading(entry: SymptomReading) -> Text:
    answer = {"yes": "yes", "no": "no", "not-seen": "not seen"}[entry.present]
    return Text(
        f"{literal(entry.slug)}: {answer}" + (f", {one_line(entry.note)}" if entry.note else "")
    )


def _others(candidates: Sequence[Candidate]) -> Section:
    listed = [
        entry
        for entry in candidates
        if entry.grade == "suspected" and entry.confidence >= MIN_CONFIDENCE
    ]
    return Section("Other candidates", [_candidate(entry) for entry in listed[:MAX_OTHERS]])


def _candidate(entry: Candidate) -> Text:
    where = f" ({place_text(entry.locations[0])})" if entry.locations else ""
    share = f"{entry.confidence:.0%}".replace("%", " %")
    return Text(f"{literal(entry.cause)} ({entry.grade}, {share}): {one_line(entry.title)}{where}")


def _more(count: int) -> Text:
    return Text(f"… {count} more with --verbose", style="dim")
