"""The cause `inplace-autograd-error`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import written_in_place
from diagnoser.rules.readings import place_text


class InplaceAutogradError(CrashRule):
    """An in-place write destroys what backward needs, or hits a leaf.

    What it detects:
        backward finds that a saved tensor was overwritten, or an in-place operation is applied to a
        trainable leaf.
    Why it breaks training:
        The gradient of an operation is computed from the values it saved; overwritten values would
        give a wrong one.
    Evidence:
        exception.raised: shape, operation and versions of the overwritten tensor, and the in-place
        writes in the code that ran.
    Example:
        h = torch.sigmoid(x)
        h += bias
    Use instead:
        h = torch.sigmoid(x)
        h = h + bias
    Can be confused with:
        A graph that is walked twice (backward-twice).
    Verify:
        Replace the in-place operation by its ordinary form and run again.
    Prevent:
        Keep in-place operations out of the differentiable part; update weights under
        torch.no_grad().
    References:
        PyTorch documentation, Autograd mechanics, In-place operations.
    """

    slug: ClassVar[str] = "inplace-autograd-error"
    title: ClassVar[str] = "An in-place write destroys what backward needs"
    category: ClassVar[str] = "autograd"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"modified by an inplace operation: \[torch\.\w*?(?P<kind>\w+Tensor) \[(?P<shape>[\d,"
        r" ]*)\]\], which is output (?P<output>\d+) of (?P<made>\w+), is at version"
        r" (?P<version>\d+); expected version (?P<expected>\d+)",
        r"a (view of a )?leaf Variable that requires grad is being used in an in-place"
        r" operation",
        r"a leaf Variable that requires grad has been used in an in-place operation",
        r"modified by an inplace operation",
        r"Output \d+ of \w+ is a view and (is being|its base or another view of its base has"
        r" been) modified inplace",
    )
    fix_summary: ClassVar[str] = "Write the result into a new tensor instead of in place"
    prevention: ClassVar[str] = (
        "Avoid += and x[...] = on tensors of the graph; change weights only under torch.no_grad()."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        groups = found.groupdict()
        if not groups.get("shape"):
            return crash.finding(crash.message.splitlines()[0][:160])
        note = (
            f"A tensor [{groups['shape']}] made by {groups['made']} was written in place after it "
            f"was saved for backward (version {groups['version']} instead of {groups['expected']})"
        )
        written = written_in_place(crash)
        if written:
            note += f"; an in-place write stands at {place_text(written[0])}"
        return crash.finding(note, written[:3])
