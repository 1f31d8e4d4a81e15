"""The cause `frozen-parameters`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import (
    DECISIVE,
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
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_search import lines_matching
from diagnoser.rules.wording import UNCHANGED
from diagnoser.schema import Location

MIN_CALLS = 2
SILENCE = 2
"""A freezing call that came every n updates has stopped if this many times n have passed since."""
LEARNT = 0.5
"""Share of the first loss that a run must have lost to count as learning: then a frozen random
part is taken as meant (random features, a reservoir)."""


class FrozenParameters(Rule):
    """Parameters do not require a gradient where they should be trained.

    What it detects:
        A part that is frozen in the training loop for a warm-up and never released; or layers that
        hold the random values they were constructed with, frozen for the whole run, in a model
        that does not learn and that does when they are released.
    Why it breaks training:
        Frozen layers keep their values: what stands behind them works with random features.
    Evidence:
        parameters.switched: the updates at which a line froze the part, and when it stopped doing
        so; parameters.written: frozen parameters that nobody has loaded or trained; the arm that
        releases them.
    Example:
        if epoch < WARMUP:
            model.body.requires_grad_(False)
    Use instead:
        model.body.requires_grad_(epoch >= WARMUP)
    Can be confused with:
        A pretrained part, a teacher or a target network that is frozen on purpose (its values were
        loaded or written: silent).
    Verify:
        Print [n for n, p in model.named_parameters() if not p.requires_grad] in the last epoch.
    Prevent:
        Assert on the set of trainable names at the start of each phase.
    References:
        PyTorch documentation, "Autograd mechanics", setting requires_grad.
    """

    slug: ClassVar[str] = "frozen-parameters"
    title: ClassVar[str] = "Parameters are frozen that should be trained"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "underfitting": -6,
        "loss-plateaus": -6,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 3),
        Cue(r"requires_grad|froze|freez|frozen|unfreez|fine.?tun", 8),
    )
    needs: ClassVar[tuple[str, ...]] = (
        "parameters.frozen",
        "parameters.switched",
        "parameters.written",
    )
    trial: ClassVar[Trial | None] = Trial("unfreeze")
    fix_summary: ClassVar[str] = "Let the parameters require gradients where they are to be trained"
    prevention: ClassVar[str] = (
        "Assert on the set of trainable parameter names at the start of each phase."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        if examination.last("parameters.written") is None:
            return [missing("no update was made")]
        frozen = examination.of("parameters.frozen")
        if not frozen:
            return [silent("no model is frozen in part")]
        for record in examination.of("parameters.switched"):
            finding = self._never_released(record)
            if finding is not None:
                return [finding]
        random = list(examination.data("parameters.written").get("random_frozen", ()))
        curve = examination.curve
        if not random or curve is None:
            return [silent("the frozen parameters were loaded or written")]
        first, last = curve.edge(end=False), curve.edge(end=True)
        if not last > (1 - LEARNT) * first:
            return [silent("the model learns although random parameters in it are frozen")]
        return [self._random(examination, frozen[0], random, first, last)]

    @staticmethod
    def _never_released(record: Record) -> Finding | None:
        data = record.data
        off, on, updates = list(data.get("off", ())), list(data.get("on", ())), data["updates"]
        if len(off) < MIN_CALLS or on or not data.get("still_frozen"):
            return None
        gaps = [b - a for a, b in itertools.pairwise(off)]
        if min(gaps) <= 0 or updates - off[-1] <= SILENCE * max(gaps):
            return None
        note = (
            f"{data['class']} was frozen at {place_text(record.at)} at updates "
            f"{', '.join(str(step) for step in off[:4])}, no more after update {off[-1]} of "
            f"{updates}, and never released"
        )
        fact = Fact("parameters.switched", note, record.at, record.step, dict(data))
        return fired(DECISIVE, fact, note, places=[record.at], direct=True)

    def _random(
        self,
        examination: Examination,
        record: Record,
        random: list[str],
        first: float,
        last: float,
    ) -> Finding:
        data = record.data
        names = ", ".join(random[:3]) + (" …" if len(random) > 3 else "")
        note = (
            f"{names} of {data['class']} are frozen with the random values that they were "
            f"constructed with ({data['elements']} of {data['of']} elements are frozen in all); "
            f"the loss goes from {first:.4g} to {last:.4g}"
        )
        places = self._freezing_lines(examination)
        fact = Fact("parameters.written", note, places[0] if places else record.at, record.step)
        arm = examination.arm("unfreeze", self.strengths(examination))
        if arm is not None and arm.removed_symptom:
            facts = [fact, Fact("experiment.arm", f"With them released, {arm.note}")]
            return fired(STRONG, facts, f"{note}; with them released, {arm.note}", places=places)
        return fired(MODERATE, fact, note, places=places)

    @staticmethod
    def _freezing_lines(examination: Examination) -> Sequence[Location]:
        return lines_matching(
            examination.sources, r"requires_grad_\(\s*False|requires_grad\s*=\s*(?!True)"
        )

    def strengths(self, examination: Examination) -> tuple[Mapping[str, Any], ...]:
        """One strength: all frozen parameters of the models that train."""
        return ({},)
