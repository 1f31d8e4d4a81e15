"""The exact change that is proposed for the first settled cause which allows one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from diagnoser.fixes.patch import apply_edits, diff_of, relative
from diagnoser.rules.base import Source
from diagnoser.rules.engine import Judged, Verdict
from diagnoser.schema import Fix


@dataclass(frozen=True)
class Proposal:
    """A cause, the fix that its rule states, and the patched files by absolute path."""

    entry: Judged
    fix: Fix
    patched: Mapping[str, str]

    def files(self, folder: Path) -> dict[str, str]:
        """The patched files as a run takes them: paths relative to the script's folder."""
        return {relative(path, folder): text for path, text in self.patched.items()}


def fixable(verdict: Verdict, sources: Mapping[str, str]) -> tuple[str, ...]:
    """Slugs of the settled causes for which an exact edit can be stated."""
    source = Source(sources)
    return tuple(
        entry.rule.slug for entry in verdict.settled if entry.rule.fix(source, entry.findings)
    )


def propose(verdict: Verdict, sources: Mapping[str, str], folder: Path) -> Proposal | None:
    """The first settled cause's exact edits, applied to a copy of the sources."""
    source = Source(sources)
    for entry in verdict.settled:
        edits = entry.rule.fix(source, entry.findings)
        patched = apply_edits(sources, edits) if edits else None
        if patched is not None:
            fix = Fix(
                summary=entry.rule.fix_summary,
                edits=tuple(edits),
                diff=diff_of(sources, patched, folder),
            )
            return Proposal(entry, fix, patched)
    return None
