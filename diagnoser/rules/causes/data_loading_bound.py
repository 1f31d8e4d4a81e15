"""The cause `data-loading-bound`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import (
    MODERATE,
    STRONG,
    Cue,
    Fact,
    Finding,
    Rule,
    Trial,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.symptoms import WAITING_SHARE
from diagnoser.schema import Location

MIN_UPDATES = 3
MIN_WAIT = 0.005
"""Seconds of waiting a step under which the loader is not worth a word."""
MIN_ITEM = 0.0002
"""Seconds an item from which loading is work: the loader's own overhead is some 10 us an item."""
WORTH_SAYING = 0.2
"""Share of waiting from which it is worth an experiment (PyTorch performance tuning guide)."""


class DataLoadingBound(Rule):
    """Each step waits for its batch: loading and decoding take longer than the arithmetic.

    What it detects:
        A large share of each step is spent in the loader's `__next__`, in the main process.
    Why it breaks training:
        The model and the device stand still meanwhile; an epoch takes a multiple of its time.
    Evidence:
        time.split: waiting, forward, backward, step and the rest; the arm with worker processes,
        judged on wall time an update.
    Example:
        loader = DataLoader(Images(paths), batch_size=32)
    Use instead:
        loader = DataLoader(Images(paths), batch_size=32, num_workers=4, persistent_workers=True)
    Can be confused with:
        A small set in memory, where waiting is a large share of a tiny step (silent under 2 ms);
        a slow step of another kind.
    Verify:
        Time an epoch over the loader alone, without the model.
    Prevent:
        Decode once and keep the result, or load in workers; print waiting and computing per epoch.
    References:
        PyTorch documentation, torch.utils.data, multi-process data loading; performance tuning
        guide.
    """

    slug: ClassVar[str] = "data-loading-bound"
    title: ClassVar[str] = "The step waits for its data"
    category: ClassVar[str] = "performance"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"slow": 0}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"num_workers ?=? ?0|no workers|without workers|dataloader|data ?loader|loader", 5),
        Cue(
            r"__getitem__|\bpil\b|jpe?gs?\b|pngs?\b|decod|resiz|opens? .{0,20}(images?|files?)|"
            r"read(s|ing)? .{0,30}(files?|disk)|augment",
            6,
        ),
        Cue(r"(gpu|utili[sz]ation).{0,40}(\d ?%|low|peaks?|idle)|one (cpu )?core|waits? for", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("time.split", "loader.created")
    trial: ClassVar[Trial | None] = Trial("loader_workers", ({"workers": 2},), "seconds")
    fix_summary: ClassVar[str] = "Load in worker processes, or decode each item once and keep it"
    prevention: ClassVar[str] = (
        "Time an epoch over the loader alone and print waiting and computing per epoch."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        split = examination.last("time.split")
        updates = int(split.data.get("updates", 0)) if split is not None else 0
        wall = number(split.data.get("wall")) if split is not None else 0.0
        if split is None or updates < MIN_UPDATES or not wall > 0:
            return [missing("fewer than three steps were timed")]
        waiting = number(split.data.get("data"))
        share, each = waiting / wall, waiting / updates
        loaders = examination.of("loader.created")
        rows = max((int(r.data.get("batch_size") or 1) for r in loaders), default=1)
        text = (
            f"{share:.0%} of {1000 * wall / updates:.3g} ms a step is waiting for the loader "
            f"({1000 * each:.3g} ms, {1000 * each / rows:.2g} ms an item)"
        )
        at = self._heavy(loaders)
        places = [at, *(location(r.data.get("getitem_at")) for r in loaders[:1])]
        fact = Fact("time.split", text, at, split.step, dict(split.data))
        light = share < WORTH_SAYING or each < MIN_WAIT or each < MIN_ITEM * rows
        if light or "slow" not in examination.asked:
            return [silent(text, facts=(fact,))]
        arm = examination.arm("loader_workers", self.strengths(examination))
        if arm is not None and arm.removed_symptom:
            facts = [fact, Fact("experiment.arm", f"With 2 worker processes {arm.note}")]
            note = f"{text}; with 2 worker processes {arm.note}"
            return [fired(STRONG, facts, note, places=places)]
        settled = share >= WAITING_SHARE
        return [fired(STRONG if settled else MODERATE, fact, text, places=places, direct=settled)]

    @staticmethod
    def _heavy(loaders: Sequence[Record]) -> Location | None:
        """The loader without workers that serves the most items, the training one as a rule."""
        without = [record for record in loaders if not int(record.data.get("workers", 0))]
        chosen = max(without or loaders, key=lambda r: int(r.data.get("length") or 0), default=None)
        return chosen.at if chosen is not None else None

    def sentence(self, findings: Sequence[Finding]) -> str:
        """The share of waiting, with the loader's line."""
        note = super().sentence(findings)
        places = [place for finding in findings for place in finding.places]
        return f"{note} ({place_text(places[0])})" if places else note
