"""The symptom table: how each symptom is recognised in a run, an exception and in words."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from diagnoser.rules.examination import Examination, LossCurve
from diagnoser.schema import Presence, SymptomReading

FLAT_PROGRESS = 0.03
"""Relative fall of the loss under which it counts as flat (parked at chance level)."""
EXPLODED = 10.0
"""The last loss this many times the first counts as an explosion (a line fit: 16, 86, 466 …)."""
SWING = 1.0
"""Mean step-to-step change of the later loss, relative to its median, that counts as swinging."""
MIN_VALUES = 12
"""Curves shorter than this are not read."""
WAITING_SHARE = 0.5
"""Share of a step spent waiting for data that is the diagnosis when speed is asked about."""


@dataclass(frozen=True)
class Symptom:
    """What is seen, before anything is known about why."""

    slug: str
    title: str
    category: str
    words: str
    """Regular expression over lower-case text."""
    present: Callable[[Examination], tuple[Presence, str]]

    def in_words(self, text: str) -> bool:
        """Whether the question names this symptom."""
        return re.search(self.words, text.lower()) is not None

    def read(self, examination: Examination) -> SymptomReading:
        """Whether the run shows it."""
        present, note = self.present(examination)
        return SymptomReading(slug=self.slug, category=self.category, present=present, note=note)


def _readable(examination: Examination) -> LossCurve | None:
    curve = examination.curve
    return curve if curve is not None and len(curve.values) >= MIN_VALUES else None


def _nan(examination: Examination) -> tuple[Presence, str]:
    found = examination.last("loss.nonfinite")
    if found is not None:
        return "yes", f"the loss is {found.data.get('value')} at backward call {found.step}"
    if examination.curve is None:
        return "not-seen", "no loss was recorded"
    return "no", f"all {len(examination.curve.values)} recorded losses are finite"


def progress(curve: LossCurve) -> float:
    """Fall of the loss from its first to its last part, relative to the greater; below 0 it rose.

    A loss may start near zero and be right below it (likelihoods, cosines), so neither end alone
    gives the scale.
    """
    first, last = curve.edge(end=False), curve.edge(end=True)
    return (first - last) / max(abs(first), abs(last), 1e-12)


def _flat(examination: Examination) -> tuple[Presence, str]:
    curve = _readable(examination)
    if curve is None:
        return "not-seen", "no loss curve was recorded"
    fall = progress(curve)
    if math.isnan(fall):
        return "not-seen", "the loss is not finite"
    note = f"loss {curve.edge(end=False):.4g} to {curve.edge(end=True):.4g} ({fall:+.1%})"
    return ("yes" if abs(fall) < FLAT_PROGRESS else "no"), note


def _explodes(examination: Examination) -> tuple[Presence, str]:
    curve = examination.curve
    if curve is None:
        return "not-seen", "no loss was recorded"
    first, last = curve.edge(end=False), curve.edge(end=True)
    worst = max((v for v in curve.values if math.isfinite(v)), default=math.nan)
    if any(v == math.inf for v in curve.values) or last > EXPLODED * max(abs(first), 1e-12):
        return (
            "yes",
            f"loss {curve.values[0]:.4g} at first, {worst:.4g} at worst, {last:.4g} at last",
        )
    return "no", f"loss {first:.4g} at first, {worst:.4g} at worst"


def _swings(examination: Examination) -> tuple[Presence, str]:
    curve = _readable(examination)
    if curve is None:
        return "not-seen", "no loss curve was recorded"
    later = [v for v in curve.values[len(curve.values) // 2 :] if math.isfinite(v)]
    if len(later) < MIN_VALUES // 2:
        return "not-seen", "too few finite losses"
    middle = statistics.median(abs(v) for v in later)
    jump = sum(abs(b - a) for a, b in pairwise(later)) / max(len(later) - 1, 1)
    share = jump / max(middle, 1e-12)
    note = f"the loss changes by {share:.0%} of its median from one step to the next"
    return ("yes" if share > SWING else "no"), note


def _plateaus(examination: Examination) -> tuple[Presence, str]:
    curve = _readable(examination)
    values = [v for v in curve.values if math.isfinite(v)] if curve is not None else []
    if curve is None or len(values) < 4 * MIN_VALUES:
        return "not-seen", "the curve is too short"
    third = len(values) // 3
    middle = sum(values[third : 2 * third]) / max(third, 1)
    last = sum(values[2 * third :]) / max(len(values) - 2 * third, 1)
    fall = progress(curve)
    still = abs(middle - last) < 0.05 * max(abs(values[0]), 1e-12)
    note = f"mean loss {middle:.4g} in the middle third, {last:.4g} in the last"
    return ("yes" if fall > 0.1 and still and last > 0.05 * abs(values[0]) else "no"), note


def _unseen(_: Examination) -> tuple[Presence, str]:
    return "not-seen", "no probe reads this yet"


def _message(examination: Examination) -> str:
    found = examination.last("exception.raised")
    if found is None or found.data.get("quoted"):
        return ""
    return f"{found.data.get('type')}: {found.data.get('message')}"


def _error(pattern: str) -> Callable[[Examination], tuple[Presence, str]]:
    def present(examination: Examination) -> tuple[Presence, str]:
        message = _message(examination)
        if re.search(pattern, message, re.IGNORECASE):
            return "yes", message.splitlines()[0][:160]
        if not examination.ran:
            return "not-seen", "the script was not run"
        return "no", "no such error was raised"

    return present


def _slow(examination: Examination) -> tuple[Presence, str]:
    split = examination.data("time.split")
    wall = float(split.get("wall", 0.0) or 0.0)
    if wall <= 0:
        return "not-seen", "no step was timed"
    share = float(split.get("data", 0.0)) / wall
    per_step = 1000 * wall / max(int(split.get("updates", 1)), 1)
    note = f"{share:.0%} of {per_step:.1f} ms a step is waiting for data"
    return ("yes" if share > WAITING_SHARE else "no"), note


DEVICE_ERROR = r"same device|found at least two devices|is on (cpu|cuda|mps)|CUDA.*not available"
SHAPE_ERROR = (
    r"shapes? cannot be multiplied|size mismatch|must match the size|mat1 dim|"
    r"expected.*\d+D|input.*channels|mismatch in its core dimension|not aligned|"
    r"shape '\[.*\]' is invalid|Sizes of tensors must match|could not be broadcast|"
    r"size of tensor|inconsistent tensor size|batch_size|must be equal to input_size"
)
MEMORY_ERROR = r"out of memory|MemoryError|can't allocate memory|Cannot allocate"

NOT_THERE = r"\b(no|not|without( any)?|not an?|never an?) (error|exception|crash|traceback|nan)\w*"
"""Symptoms that a question names only to say that they are absent."""

SYMPTOMS: tuple[Symptom, ...] = (
    Symptom("loss-nan", "the loss is NaN or inf", "numerical instability",
            r"\bnan\b|\binf(inity|inite)?\b|not a number", _nan),
    Symptom("loss-flat", "the loss stays flat", "not learning",
            r"flat|not (learn|train|chang|mov|improv|go(ing)? down|decreas)|n't (learn|train|chang|"
            r"mov|improv|go down|decreas|get better|budge)|never (learn|chang|mov|improv|get|"
            r"went|goes)|stuck|same (loss|number|value|result)|exactly the same|"
            r"constant|chance|random|guess|hardly|"
            r"barely|does nothing|do nothing|untrained|stays? (at|the same|put)|no better",
            _flat),
    Symptom("loss-explodes", "the loss explodes", "divergence",
            r"explo|diverg|blow|huge|shoots? up|skyrocket|goes? (up|through the roof)|climb|grow|"
            r"rises",
            _explodes),
    Symptom("loss-swings", "the loss swings", "divergence",
            r"swing|oscillat|jump|bounc|nois|zig|erratic|unstable|all over|up and down|"
            r"wild|never settles",
            _swings),
    Symptom("loss-plateaus", "the loss falls, then plateaus", "convergence",
            r"plateau|flattens|levels? off|stops (improving|falling|going)|gets stuck (at|around)|"
            r"refuses to|floor|no further", _plateaus),
    Symptom("overfitting", "training is good, test is bad", "generalisation",
            r"overfit|(val|test).*(bad|worse|low|poor|drop|terrible|below)|generali[sz]|"
            r"(train|training).*(good|great|perfect|fine|high).*(val|test)", _unseen),
    Symptom("underfitting", "training and test are both bad", "capacity or pipeline",
            r"underfit|accuracy.*(low|bad|poor|never|only)|(bad|poor|low) (accuracy|"
            r"results?|scores?)|average of|predicts? (almost )?(the )?(same|mean|average)|useless|"
            r"half of", _unseen),
    Symptom("too-good", "too good to be true", "evaluation",
            r"too good|suspicious|perfect|100 ?%|unrealistic", _unseen),
    Symptom("inconsistent", "numbers differ between modes or runs", "evaluation, randomness",
            r"differ|inconsist|not reproduc|different (every|each|result|number)|each (run|time)|"
            r"between (two )?(runs|calls)|jump up and down", _unseen),
    Symptom("device-mismatch", "device mismatch error", "device management",
            r"same device|cuda:\d and cpu|two devices", _error(DEVICE_ERROR)),
    Symptom("shape-mismatch", "size mismatch error", "shape",
            r"shapes?\b|size mismatch|mat1|dimension|cannot be multiplied|must match",
            _error(SHAPE_ERROR)),
    Symptom("crash", "another crash", "program",
            r"error|crash|exception|traceback|dies|fails|complain|raises", _error(r".")),
    Symptom("out-of-memory", "out of memory, or memory grows", "memory",
            r"out of memory|\boom\b|memory|ram\b|swap", _error(MEMORY_ERROR)),
    Symptom("slow", "slow, or the device idles", "performance",
            r"slow|forever|takes (ages|hours|too long|(so )?(much )?longer)|idle|speed|faster|"
            r"utili[sz]ation|epoch takes|longer than",
            _slow),
)  # fmt: skip


def symptoms_in(text: str) -> tuple[str, ...]:
    """Slugs of the symptoms that a question names, in table order."""
    said = re.sub(NOT_THERE, " ", text.lower())
    return tuple(symptom.slug for symptom in SYMPTOMS if symptom.in_words(said))


def read_all(examination: Examination) -> tuple[SymptomReading, ...]:
    """Every symptom's presence in the run."""
    return tuple(symptom.read(examination) for symptom in SYMPTOMS)
