"""The cause `debug-mode-left-on`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import STRONG, WEAK, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination
from diagnoser.rules.source_search import lines_matching

SWITCHED = r"detect_anomaly|anomaly"


class DebugModeLeftOn(Rule):
    """Anomaly detection is on while the run is meant to be fast.

    What it detects:
        torch's anomaly detection is enabled at the first backward call.
    Why it breaks training:
        Every operation keeps a traceback and every gradient is checked for NaN: small nets take
        two to three times as long, with the same numbers.
    Evidence:
        environment.seeds: the flag at the first backward call.
    Example:
        torch.autograd.set_detect_anomaly(True)
    Use instead:
        torch.autograd.set_detect_anomaly(False)
    Can be confused with:
        A search for a NaN, in which it is on for a reason (only said where speed is asked about).
    Verify:
        Time an epoch with and without it.
    Prevent:
        Switch it on by a context manager around the one step that is looked into.
    References:
        PyTorch documentation, torch.autograd.detect_anomaly ("should be enabled only for
        debugging").
    """

    slug: ClassVar[str] = "debug-mode-left-on"
    title: ClassVar[str] = "Anomaly detection is left on"
    category: ClassVar[str] = "performance"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"slow": -2}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"anomaly|profiler|launch_blocking|debug", 10),
    )  # fmt: skip
    needs: ClassVar[tuple[str, ...]] = ("environment.seeds",)
    fix_summary: ClassVar[str] = "Switch anomaly detection off"
    prevention: ClassVar[str] = (
        "Switch it on by a context manager around the one step that is looked into."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        seeds = examination.last("environment.seeds")
        if seeds is None:
            return [missing("no backward call was made")]
        if not seeds.data.get("anomaly"):
            return [silent("anomaly detection is off")]
        places = lines_matching(examination.sources, SWITCHED)
        note = "Anomaly detection is on: each operation keeps a traceback, each gradient is checked"
        fact = Fact("environment.seeds", note, places[0] if places else None, seeds.step)
        asked = "slow" in examination.asked
        return [fired(STRONG if asked else WEAK, fact, note, places=places, direct=asked)]
