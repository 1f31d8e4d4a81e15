"""The cause `worker-pickling-error`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import loader_line
from diagnoser.rules.source_search import definition, lines_matching, nearest


class WorkerPicklingError(CrashRule):
    """A loader worker cannot pickle or re-import what it needs.

    What it detects:
        A DataLoader or a pool starts processes by spawn and hands them a lambda, a local function
        or an open handle.
    Why it breaks training:
        A spawned process gets its objects by pickle and imports the script anew; what has no
        importable name cannot be sent.
    Evidence:
        exception.raised: the name of the object that cannot be sent; loader.created.
    Example:
        DataLoader(data, num_workers=2, collate_fn=lambda batch: pad(batch))
    Use instead:
        DataLoader(data, num_workers=2, collate_fn=pad)
    Can be confused with:
        A script without the main guard, which starts itself again.
    Verify:
        Run with num_workers=0: the error goes away.
    Prevent:
        Keep what workers need at the top level of a module, and start under the main guard.
    References:
        PyTorch documentation, torch.utils.data, Platform-specific behaviors.
    """

    slug: ClassVar[str] = "worker-pickling-error"
    title: ClassVar[str] = "A worker process cannot get what it needs"
    category: ClassVar[str] = "program"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -7}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised", "loader.created")
    patterns: ClassVar[tuple[str, ...]] = (
        r"[Cc]an't pickle (local object )?'?<?(?P<what>[^'>]*)",
        r"cannot pickle '(?P<what>[^']+)' object",
        r"Can't get (local )?(attribute|object) '(?P<what>[^']+)'",
        r"An attempt has been made to start a new process before the\s+current process has"
        r" finished its bootstrapping phase",
        r"PicklingError",
    )
    fix_summary: ClassVar[str] = (
        "Move the object to the top level of a module, and start under the main guard"
    )
    prevention: ClassVar[str] = (
        "Use module-level functions for collate_fn, transforms and worker_init_fn."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        what = (found.groupdict().get("what") or "").strip()
        note = f"A worker cannot get {what}" if what else crash.message.splitlines()[0][:160]
        name = what.rsplit(".", 1)[-1]
        sources = crash.examination.sources
        if "<lambda" in name or "lambda" in what:
            made = lines_matching(sources, r"\blambda\b")
            places = [nearest(made, loader_line(crash) or crash.at)]
        else:
            places = [definition(sources, name)]
        return crash.finding(note, [*places, loader_line(crash)])
