"""What a question's own words say for or against a cause, where there is nothing to run.

Words only suggest: a cause that rests on them stays suspected, and where a script ran they count
for nothing. Each rule keeps its own cues, so that a cause stays in one file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from diagnoser.rules.base import Cue, Fact, Finding, fired
from diagnoser.rules.examination import Examination

MAX_QUOTE = 60


def heard(cues: Sequence[Cue], examination: Examination) -> list[Finding]:
    """A finding for each cue that the words hold; none where something was run."""
    if examination.ran:
        return []
    words = " ".join(examination.words.lower().replace("’", "'").split())
    findings = []
    for cue in cues:
        found = re.search(cue.pattern, words)
        if found is not None:
            quote = found[0].strip()
            quote = quote if len(quote) <= MAX_QUOTE else f"{quote[:MAX_QUOTE]}…"
            verb = "speaks for it" if cue.decibans > 0 else "speaks against it"
            note = f'"{quote}" {verb}'
            findings.append(fired(cue.decibans, Fact("words", note), note))
    return findings
