"""Source lines around what the evidence names, numbered, cut to a budget of bytes. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from diagnoser.rules.source_lines import lines_of

EDGE_WEIGHT = 3
"""A line at the head or the foot of a file counts as this many times as far away as one that is
that near to a line of the evidence: imports and the main loop say more than the middle."""
WORTH_A_CUT = 2
"""Fewer lines than this are shown rather than cut, as the mark is no shorter."""
LINE_LIMIT = 400
"""Characters of one line; longer ones are data, not source."""
NUMBER_WIDTH = 8


def excerpts(
    files: Mapping[str, str], anchors: Mapping[str, Collection[int]], budget: int
) -> dict[str, str]:
    """The files as numbered lines within `budget` bytes; files that the evidence names come first.

    `anchors` holds the lines that the evidence names, by file. Where a file does not fit, the lines
    farthest from them and from its ends, which is the middle, go first.
    """
    ordered = sorted(files, key=lambda name: (name not in anchors, -len(anchors.get(name, ()))))
    shown: dict[str, str] = {}
    left = budget
    for place, name in enumerate(ordered):
        lines = lines_of(files[name])
        share = left if name in anchors else left // (len(ordered) - place)
        text = numbered(lines, _kept(lines, anchors.get(name, ()), share))
        shown[name] = text
        left = max(0, left - len(text.encode()))
    return shown


def _kept(lines: Sequence[str], anchors: Collection[int], budget: int) -> set[int]:
    """Numbers of the lines that are shown."""
    count = len(lines)

    def distance(number: int) -> int:
        edge = EDGE_WEIGHT * (1 + min(number - 1, count - number))
        return min([edge, *(abs(number - anchor) for anchor in anchors)])

    kept: set[int] = set()
    for number in sorted(range(1, count + 1), key=lambda n: (distance(n), n)):
        budget -= len(lines[number - 1][:LINE_LIMIT].encode()) + NUMBER_WIDTH
        if budget < 0:
            break
        kept.add(number)
    return kept


def numbered(lines: Sequence[str], kept: Collection[int]) -> str:
    """Lines with their numbers, gaps marked with how many lines are cut."""
    shown: list[str] = []
    gap: list[str] = []
    for number, line in enumerate(lines, 1):
        text = line if len(line) <= LINE_LIMIT else f"{line[:LINE_LIMIT]} … cut …"
        row = f"{number:5d}| {text}"
        if number not in kept:
            gap.append(row)
            continue
        shown += _gap(gap)
        gap = []
        shown.append(row)
    return "\n".join([*shown, *_gap(gap)])


def _gap(rows: list[str]) -> list[str]:
    if len(rows) < WORTH_A_CUT:
        return rows
    return [f"     | … {len(rows)} lines cut …"]


def middle_cut(text: str, budget: int) -> str:
    """A log's head and tail within `budget` characters, the tail twice as long."""
    lines = [line[:LINE_LIMIT] for line in lines_of(text)]
    if sum(len(line) + 1 for line in lines) <= budget:
        return "\n".join(lines)
    head, tail = _fitting(lines, budget // 3), _fitting(lines[::-1], budget * 2 // 3)[::-1]
    cut = len(lines) - len(head) - len(tail)
    return "\n".join([*head, f"… {cut} lines cut …", *tail]) if cut > 0 else "\n".join(lines)


def _fitting(lines: Sequence[str], budget: int) -> list[str]:
    fitting: list[str] = []
    for line in lines:
        budget -= len(line) + 1
        if budget < 0:
            break
        fitting.append(line)
    return fitting
