"""How each cause's confidence adds up, finding by finding, in decibans."""

from __future__ import annotations

import math

from rich.text import Text

from diagnoser.report.layout import Section
from diagnoser.report.literal import literal, one_line
from diagnoser.schema import Candidate, Report


def why_sections(report: Report) -> list[Section]:
    """One section for all candidates, refuted ones included."""
    lines = [line for candidate in report.candidates for line in _sum(candidate)]
    return [Section("Why", lines)]


def _sum(candidate: Candidate) -> list[Text]:
    share = f"{candidate.confidence:.1%}".replace("%", " %")
    lines = [Text(f"{literal(candidate.cause)} ({candidate.grade})", style="bold")]
    total = decibans_of(candidate.confidence)
    stated = sum(finding.decibans for finding in candidate.findings)
    for finding in candidate.findings:
        cited = f" [{', '.join(map(literal, finding.evidence))}]" if finding.evidence else ""
        weight = "   -" if finding.outcome == "not-evaluated" else f"{finding.decibans:+4d}"
        lines.append(Text(f"  {weight}  {finding.outcome}: {one_line(finding.note)}{cited}"))
    if total is not None:
        rest = total - stated
        lines.append(Text(f"  {rest:+4d}  how common it is under these symptoms, and experiments"))
        lines.append(Text(f"  {total:+4d}  in all: {share}"))
    else:
        lines.append(Text(f"        in all: {share}"))
    return lines


def decibans_of(confidence: float) -> int | None:
    """Ten times the logarithm of the odds; None where rounding has eaten them."""
    if not 0.0 < confidence < 1.0:
        return None
    return round(10 * math.log10(confidence / (1 - confidence)))
