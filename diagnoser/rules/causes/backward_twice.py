"""The cause `backward-twice`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import carried_over
from diagnoser.rules.readings import place_text


class BackwardTwice(CrashRule):
    """A graph that was freed is walked again.

    What it detects:
        backward reaches operations whose saved values an earlier backward has freed.
    Why it breaks training:
        A state that is carried from batch to batch drags its whole history along; or two losses
        share a part of the graph.
    Evidence:
        exception.raised: the line, and what in the loop comes from an earlier pass.
    Example:
        out, state = rnn(x, state)
    Use instead:
        out, state = rnn(x, state.detach())
    Can be confused with:
        A second derivative on purpose (create_graph); an in-place write.
    Verify:
        Detach the carried state and run again.
    Prevent:
        Detach hidden states between batches; add losses before one backward.
    References:
        PyTorch documentation, torch.Tensor.backward, retain_graph.
    """

    slug: ClassVar[str] = "backward-twice"
    title: ClassVar[str] = "A freed graph is walked again"
    category: ClassVar[str] = "autograd"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Trying to backward through the graph a second time",
        r"Saved intermediate values of the graph are freed",
    )
    fix_summary: ClassVar[str] = (
        "Detach what is carried over from the last pass, or add the losses and walk once"
    )
    prevention: ClassVar[str] = (
        "Detach recurrent state at the head of each step; call backward once for each graph."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        carried = carried_over(crash)
        note = "backward walks a part of the graph that an earlier backward has freed"
        if carried:
            note += f"; {place_text(carried[0])} takes up a value of an earlier pass"
        return crash.finding(note, carried[:2])
