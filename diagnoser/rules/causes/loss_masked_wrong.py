"""The cause `loss-masked-wrong`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, WEAK, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location, number

ALL = 0.98
NONE = 0.02


class LossMaskedWrong(Rule):
    """The loss counts the filling of the sequences, or drops real targets.

    What it detects:
        The loss has a gradient through the padded positions and none through the real ones; or the
        class that ignore_index leaves out occurs among the real targets while the padding counts.
    Why it breaks training:
        Where only the filling counts, the model learns the filling: the loss is 0 at once. A real
        class that is left out is never predicted.
    Evidence:
        loss.positions: where the input's rows are filled up, and through which positions of the
        model's output the loss has a gradient; the target of the positions that it drops.
    Example:
        weight = (position >= length[:, None]).float()
        loss = (weight * (guess - wanted) ** 2).sum() / weight.sum()
    Use instead:
        weight = (position < length[:, None]).float()
        loss = (weight * (guess - wanted) ** 2).sum() / weight.sum()
    Can be confused with:
        Masked language models, which count chosen positions only; forecasts whose inputs end in
        placeholders, where what is counted varies; class weights.
    Verify:
        The number of positions that count must be the number of real positions.
    Prevent:
        Fill targets with -100, which is no class, and assert the count of positions in the loss.
    References:
        PyTorch documentation, torch.nn.CrossEntropyLoss (ignore_index).
    """

    slug: ClassVar[str] = "loss-masked-wrong"
    title: ClassVar[str] = "The loss counts padding or drops real targets"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -9,
        "underfitting": -6,
        "overfitting": -7,
        "too-good": -6,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"ignore_index|padding|padded", 5),
        Cue(r"never (outputs?|predicts?|says?)", 5),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.positions", "loss.masked")
    fix_summary: ClassVar[str] = "Let the loss count the real positions and leave the padding out"
    prevention: ClassVar[str] = (
        "Fill targets with -100, and assert how many positions the loss counts."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = examination.of("loss.positions")
        if not records:
            if not examination.of("model.samples"):
                return [missing("no model call was repeated")]
            return [silent("no padded sequences were seen")]
        first = records[0]
        real = number(first.data.get("real_counted"))
        filled = number(first.data.get("padding_counted"))
        text = (
            f"The loss has a gradient through {real:.0%} of {first.data.get('real')} real and "
            f"{filled:.0%} of {first.data.get('padding')} filled positions "
            f"(value {number(first.data.get('value')):g})"
        )
        places = [location(p) for p in self._mask_places(examination)]
        places += [first.at, location(first.data.get("called_at"))]
        fact = Fact("loss.positions", text, places[0], first.step, dict(first.data))
        if real <= NONE and filled >= ALL and self._pulls_to_one(first):
            note = f"{text}, and pulls all of these to one value"
            fact = Fact("loss.positions", note, places[0], first.step, dict(first.data))
            return [fired(DECISIVE, fact, note, places=places, direct=True)]
        if filled >= ALL and self._drops_a_class(first, real):
            label = first.data.get("lost_target")
            note = (
                f"{text}: ignore_index {label} drops each real position whose target is {label} "
                f"({1 - real:.0%} of them), and the padding, whose target is "
                f"{first.data.get('padding_target')}, counts"
            )
            fact = Fact("loss.positions", note, first.at, first.step, dict(first.data))
            return [fired(DECISIVE, fact, note, places=places, direct=True)]
        if filled >= ALL and real >= ALL and first.data.get("padding_target") is not None:
            note = f"{text}: the padding counts as much as the real positions"
            fact = Fact("loss.positions", note, first.at, first.step, dict(first.data))
            return [fired(WEAK, fact, note, places=places)]
        return [silent(text, facts=[fact])]

    @staticmethod
    def _mask_places(examination: Examination) -> list[object]:
        record = examination.last("loss.masked")
        if record is None:
            return []
        return [record.data.get("made_at"), record.data.get("used_at")]

    @staticmethod
    def _pulls_to_one(record: Record) -> bool:
        return bool(record.data.get("constant_target")) or (
            record.data.get("padding_target") is not None
        )

    @staticmethod
    def _drops_a_class(record: Record, real: float) -> bool:
        data = record.data
        label, ignored = data.get("lost_target"), data.get("ignored")
        return (
            real < ALL
            and label is not None
            and label == ignored
            and int(label) >= 0
            and data.get("lost_target_kept") == 0
            and data.get("padding_target") not in (None, label)
        )
