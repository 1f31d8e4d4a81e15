"""The cause `rng-reset`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import place_text

MIN_REPEATED = 8
"""Updates in which a line seeded again with the same seed; once per epoch stays far below."""
MIN_SHARE = 0.8


class RngReset(Rule):
    """A generator is seeded anew in each step, so that what should be random repeats.

    What it detects:
        One line of the script seeds a stream, or makes a seeded generator, with the same seed in
        nearly every training step.
    Why it breaks training:
        Each step draws the same samples, noise or augmentation: the model learns that one draw by
        heart and is useless on any other.
    Evidence:
        seeds.called: line, stream, seed, and the updates in which it came again; batches.inputs:
        how many of the batches looked at were distinct.
    Example:
        def draw(n):
            rng = np.random.default_rng(42)
            return rng.normal(size=(n, 3))
    Use instead:
        def draw(n, rng):
            return rng.normal(size=(n, 3))
    Can be confused with:
        Seeding once for each fold, run or evaluation, to make them comparable (silent); a loader
        that gives one batch for another reason (constant-batch).
    Verify:
        Print the first numbers of two batches in a row: they must differ.
    Prevent:
        Make generators once, outside of the loop, and pass them to what draws.
    References:
        NumPy documentation, "Random Generator"; PyTorch documentation, "Reproducibility".
    """

    slug: ClassVar[str] = "rng-reset"
    title: ClassVar[str] = "A random stream is seeded anew in each step"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {
        "overfitting": -5,
        "too-good": -7,
        "inconsistent": -9,
        "loss-flat": -9,
        "underfitting": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"seed|default_rng|generator|same (numbers?|noise|samples?|batch)",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("seeds.called", "seeds.summary")
    fix_summary: ClassVar[str] = "Make the generator once, outside of the loop"
    prevention: ClassVar[str] = (
        "Make generators once, outside of the loop, and assert that two batches in a row differ."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        if examination.last("seeds.summary") is None:
            return [missing("it was not run with torch")]
        batches = examination.data("batches.inputs")
        if batches.get("pool_kept") and int(batches.get("distinct", 0)) == 1:
            return [silent("training goes over one fixed batch on purpose")]
        again = [r for r in examination.of("seeds.called") if self._is_reset(r)]
        if not again:
            return [silent("no stream is seeded with the same seed in each step")]
        return [self._read(examination, record) for record in again]

    @staticmethod
    def _is_reset(record: Record) -> bool:
        repeated, updates = int(record.data.get("repeated", 0)), int(record.data.get("updates", 0))
        return repeated >= MIN_REPEATED and repeated >= MIN_SHARE * updates

    @staticmethod
    def _read(examination: Examination, record: Record) -> Finding:
        data = record.data
        note = (
            f"{place_text(record.at)} seeds a {data['stream']} with {data['seeds'][0]} again in "
            f"{data['repeated']} of {data['updates']} updates looked at"
        )
        batches = examination.data("batches.inputs")
        if batches and int(batches.get("distinct", 0)) == 1:
            note += f"; all {batches['looked']} batches looked at were the same"
        places = [location(entry) for entry in data.get("stack", ())]
        fact = Fact("seeds.called", note, record.at, record.step, dict(data))
        return fired(DECISIVE, fact, note, places=[record.at, *places], direct=True)
