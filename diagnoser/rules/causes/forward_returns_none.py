"""The cause `forward-returns-none`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import returning_nothing
from diagnoser.rules.readings import place_text


class ForwardReturnsNone(CrashRule):
    """A forward or a dataset item returns nothing.

    What it detects:
        A value that a forward, a __getitem__ or another function of the user's should have returned
        is None.
    Why it breaks training:
        A function without return gives None; the error shows where the value is used.
    Evidence:
        exception.raised, and the function of the user's that was called and has no return with a
        value.
    Example:
        def forward(self, x):
            out = self.net(x)
    Use instead:
        def forward(self, x):
            out = self.net(x)
            return out
    Can be confused with:
        An attribute that was never set; a method that works in place and returns None (list.sort).
    Verify:
        Print the result of the call.
    Prevent:
        Let a type checker read the script: it finds a missing return.
    References:
        Python language reference, The return statement.
    """

    slug: ClassVar[str] = "forward-returns-none"
    title: ClassVar[str] = "A function returns nothing where a value is needed"
    category: ClassVar[str] = "program"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -7}
    patterns: ClassVar[tuple[str, ...]] = (
        r"argument '\w+' \(position \d+\) must be Tensor, not NoneType",
        r"'NoneType' object (has no attribute '(?P<attribute>\w+)'|is not"
        r" (subscriptable|iterable|callable))",
        r"found <class 'NoneType'>",
        r"unsupported operand type\(s\) for .*'NoneType'",
        r"cannot unpack non-iterable NoneType",
        r"expected (Tensor|scalar).*NoneType",
    )
    fix_summary: ClassVar[str] = "Return the value from the function"
    prevention: ClassVar[str] = "Annotate return types and let a type checker read them."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        silent_one = returning_nothing(crash)
        if silent_one is None:
            return crash.finding(f"{crash.message.splitlines()[0][:140]} (`{crash.code[:80]}`)")
        name, end, head = silent_one
        note = f"{name} at {place_text(head)} returns nothing"
        return crash.finding(note, [end, head])
