"""A loss curve in a log or in words, as the records that a probe would have made.

Logs write a value a line (`loss=2.31`, `{'loss': 0.0, …}`, tqdm's carriage returns), people write
a row (`loss 2.31, 4.9, 38, 1.2e5`).
"""

from __future__ import annotations

import math
import re

from diagnoser.rules.examination import Record

NUMBER = r"[-+]?(?:\d+(?:[.,]\d+)?(?:e[-+]?\d+)?|nan|inf(?:inity)?)"
IN_LINE = re.compile(
    rf"(?<![a-z])(?P<prefix>[\w/.-]*?)loss['\"]?\s*(?:[=:]|\bis\b)?\s*(?P<value>{NUMBER})(?![\w.])",
    re.IGNORECASE,
)
ROW = re.compile(
    rf"loss\w*[^\d\n]{{0,20}}(?P<row>{NUMBER}(?:\s*(?:,|->|→|=>|then|to|;)\s*{NUMBER}){{3,}})",
    re.IGNORECASE,
)
HELD_OUT = re.compile(r"val|test|eval|dev", re.IGNORECASE)
MIN_VALUES = 4
MAX_VALUES = 20_000


def losses_in(text: str) -> tuple[Record, ...]:
    """The training losses that a text shows, oldest first; nothing if there are fewer than four."""
    values = _by_line(text)
    if len(values) < MIN_VALUES:
        row = ROW.search(text)
        values = [] if row is None else [_number(v) for v in re.findall(NUMBER, row["row"], re.I)]
    if len(values) < MIN_VALUES:
        return ()
    records = [_record("loss.value", n, {"value": v, "site": 0}) for n, v in enumerate(values)]
    bad = next((n for n, value in enumerate(values) if not math.isfinite(value)), None)
    if bad is not None:
        facts = {"value": values[bad], "backward": bad, "before": values[max(bad - 8, 0) : bad]}
        records.append(_record("loss.nonfinite", bad, facts))
    return tuple(records)


def _by_line(text: str) -> list[float]:
    """The first training loss of each line; lines of held-out losses are left out."""
    values = []
    for line in re.split(r"[\r\n]+", text):
        for found in IN_LINE.finditer(line):
            before = line[max(found.start() - 12, 0) : found.start()] + found["prefix"]
            if not HELD_OUT.search(before):
                values.append(_number(found["value"]))
                break
        if len(values) >= MAX_VALUES:
            break
    return values


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def _record(kind: str, step: int, data: dict[str, object]) -> Record:
    return Record(
        kind=kind, step=step, phase="train", t=0.0, at=None, data={**data, "from_text": True}
    )
