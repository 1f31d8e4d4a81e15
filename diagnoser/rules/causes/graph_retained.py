"""The cause `graph-retained`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.source_search import lines_matching, nearest

MIN_LOOKS = 6
MIN_GROWN = 0.6
"""Share of the looks in which the container had grown since the look before."""
MEMORY_GROWN = 1.2
"""Resident memory at the last look over that at the first from which it counts as growing."""


class GraphRetained(Rule):
    """Tensors that still carry their graph are kept from step to step.

    What it detects:
        A list, dict or running total of the script that grows with every step and whose items
        still have a graph.
    Why it breaks training:
        Each kept tensor holds the activations and nodes of its whole forward: memory climbs until
        the process is killed, and a total gets slower with every step.
    Evidence:
        graphs.kept: name and length over the looks at backward calls; memory.held: the process's
        memory beside it.
    Example:
        history.append(loss)
    Use instead:
        history.append(loss.item())
    Can be confused with:
        Losses or log-probabilities that are gathered for one backward call and then cleared (the
        container does not grow from call to call: silent).
    Verify:
        Print len(history) and the process's memory every hundred steps.
    Prevent:
        Keep numbers (`.item()`) or `.detach()`ed tensors for later, never outputs as they are.
    References:
        PyTorch documentation, FAQ, "My model reports cuda runtime error(2): out of memory".
    """

    slug: ClassVar[str] = "graph-retained"
    title: ClassVar[str] = "Tensors are kept with their graph"
    category: ClassVar[str] = "memory"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"out-of-memory": -2, "slow": -8}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"append\((\w+\.)?\w*loss|loss\w*\.append|\w*loss\w* ?\+= ?\w*loss|running.?loss", 10),
        Cue(
            r"(grow|climb|increas|ris(es|ing)|leak|creep)\w*|more and more|until (it|the machine)|"
            r"after .{0,16}(batches|steps|epochs|iterations)",
            6,
        ),
        Cue(r"not (at|in) the (start|beginning)|never (at|in) the (start|beginning)|same batch", 4),
        Cue(r"(first|very first) (batch|forward|step)|at once|doesn'?t grow|does not grow", -8),
    )
    needs: ClassVar[tuple[str, ...]] = ("graphs.kept", "memory.held")
    fix_summary: ClassVar[str] = "Keep .item() or .detach() of the value, not the value itself"
    prevention: ClassVar[str] = (
        "Keep numbers or detached tensors for later, and print the process's memory each epoch."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        memory = examination.last("memory.held")
        if memory is None:
            return [missing("fewer than two backward calls were looked at")]
        growing = [record for record in examination.of("graphs.kept") if self._grows(record)]
        if not growing:
            return [silent("nothing that grows from step to step holds tensors with a graph")]
        first, last = int(memory.data["first"]), int(memory.data["last"])
        asked = "out-of-memory" in examination.asked or "slow" in examination.asked
        climbs = first > 0 and last > MEMORY_GROWN * first
        return [self._read(examination, r, first, last, asked or climbs) for r in growing]

    @staticmethod
    def _grows(record: Record) -> bool:
        data = record.data
        looks, grown = int(data.get("looks", 0)), int(data.get("grown", 0))
        longer = int(data.get("last", 0)) >= int(data.get("first", 0)) + MIN_LOOKS // 2
        return looks >= MIN_LOOKS and grown >= MIN_GROWN * looks and longer

    @staticmethod
    def _read(
        examination: Examination, record: Record, first: int, last: int, matters: bool
    ) -> Finding:
        data = record.data
        held = "losses" if data["kind"] == "total" else "items"
        note = (
            f"{data['name']} grows from {data['first']} to {data['last']} {held} between backward "
            f"calls {data['first_backward']} and {data['last_backward']}, and its newest item "
            f"({data['item']}) still has its graph; the process goes from {first >> 20} to "
            f"{last >> 20} MB"
        )
        name = re.escape(str(data["name"]))
        lines = lines_matching(
            examination.sources, rf"\b{name}\s*(\.(append|extend|appendleft)\(|\+=|\[.*\]\s*=)"
        )
        place = nearest(lines, record.at) or record.at
        fact = Fact("graphs.kept", note, place, record.step, dict(data))
        return fired(DECISIVE if matters else MODERATE, fact, note, places=[place], direct=matters)
