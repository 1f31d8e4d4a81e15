"""The cause `input-not-normalized`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.assigned_names import assigned_argument
from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    Cue,
    Fact,
    Finding,
    Rule,
    Trial,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, number
from diagnoser.rules.readings import last_by_place
from diagnoser.schema import Location

LARGE = 30.0
"""Magnitude of an input from which a fresh layer saturates what follows (weights are of order
1/sqrt(inputs), standardised inputs of order 1)."""
UNLIKE = 100.0
"""Spread of the widest column over that of the narrowest."""
AT_LEAST = 10.0
"""Magnitude that the widest column must have for that; pixels in 0..1 lie near 0 in the corners."""
LEAST = 0.01
"""Loss of the best constant under which the targets do not vary (one side of a GAN)."""
NO_BETTER = 0.9
"""The loss at the end over that of the best constant, from which nothing was learnt."""


class InputNotNormalized(Rule):
    """The inputs are very large or on very different scales, and nothing is learnt from them.

    What it detects:
        Columns of the model's input have magnitudes far from 1 or far from each other, and the
        loss ends no better than that of the best constant.
    Why it breaks training:
        One column of 100,000 rules every sum: activations saturate or die at the first step, and no
        rate suits all weights at once.
    Evidence:
        input.columns: mean and spread of each column; loss.pairs: the loss of the best constant;
        settled by the experiment standardize-inputs.
    Example:
        x = torch.tensor(table[["income", "age"]].to_numpy())
    Use instead:
        x = (x - x_train.mean(0)) / x_train.std(0)
    Can be confused with:
        Raw pixels behind a batch-norm, trees, ids that go into an embedding; a rate that is too
        high for standardised inputs too.
    Verify:
        Print `x.mean(0)` and `x.std(0)` of one batch.
    Prevent:
        Standardise by the training part, or begin the model with a normalisation layer.
    References:
        LeCun et al., "Efficient BackProp" (1998), section 4.3.
    """

    slug: ClassVar[str] = "input-not-normalized"
    title: ClassVar[str] = "The inputs are not normalised"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -5,
        "loss-swings": -8,
        "loss-explodes": -8,
        "underfitting": -5,
        "loss-plateaus": -8,
        "loss-nan": -12,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"as (they|it) (are|is|comes?)|\braw\b|un(scaled|normali[sz]ed)|not (scaled|"
            r"normali[sz]ed|standardi[sz]ed)|different (scales|units|ranges)|"
            r"without (scaling|normali)",
            8,
        ),
        Cue(
            r"dollars|income|salary|time ?stamp|unix|kilomet|0.?(-|to|\.\.).?255|"
            r"pixel values",
            5,
        ),
        Cue(
            r"(random forest|xgboost|tree|sklearn).{0,30}(\d\d ?%|better|works|gets)|"
            r"\d\d ?% with a random forest",
            5,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("input.columns", "loss.pairs", "tensor.origin")
    trial: ClassVar[Trial | None] = Trial("standardize_inputs")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Standardise the inputs by the training part"
    prevention: ClassVar[str] = "Print mean and spread of each column of the first batch."

    def weigh(self, examination: Examination) -> list[Finding]:
        inputs = last_by_place(examination, "input.columns")
        if not inputs:
            return [missing("no floating-point input of a model was seen")]
        worst = max(inputs, key=lambda record: _severity(record.data["columns"]))
        columns = [column for column in worst.data["columns"] if column.get("count")]
        note = self._note(worst, columns)
        fact = Fact("input.columns", note, worst.at, worst.step)
        if _severity(columns) < 1.0:
            return [silent(note, facts=[fact])]
        learnt = self._learnt(examination)
        if learnt is None:
            return [silent(f"{note}; what a constant would reach is not known")]
        end, constant = learnt
        text = f"{note}; its loss is {end:.4g} late in training, a constant's {constant:.4g}"
        if end < NO_BETTER * constant:
            return [silent(text, facts=[Fact("input.columns", text, worst.at, worst.step)])]
        told = Fact("input.columns", text, worst.at, worst.step)
        places = [self._source(examination, worst), worst.at]
        findings = [fired(MODERATE, told, text, places=places)]
        arm = examination.arm(self.trial.intervention) if self.trial is not None else None
        if arm is not None and arm.removed_symptom:
            helped = f"{text}. With standardised inputs {arm.note}"
            fact = Fact("experiment.arm", f"With standardised inputs {arm.note}", worst.at)
            findings.insert(0, fired(DECISIVE, fact, helped, places=places))
        return findings

    @staticmethod
    def _source(examination: Examination, record: Record) -> Location | None:
        """The line that makes the tensor of all rows, else the one that gives the input's name."""
        width = record.data["shape"][1:]
        for origin in examination.of("tensor.origin"):
            shape = (origin.data.get("result") or {}).get("shape") or []
            if shape[1:] == width and shape[0] > record.data["shape"][0]:
                return origin.at
        return assigned_argument(examination.sources, record.at, "", 0)

    @staticmethod
    def _note(record: Record, columns: list[Mapping[str, Any]]) -> str:
        if not columns:
            return "the inputs seen hold no finite value"
        large = max(columns, key=_size)
        small = min(columns, key=_size)
        return (
            f"Input columns of {record.data['model']} reach from {_size(small):.3g} (column "
            f"{small['column']}) to {_size(large):.3g} (column {large['column']}, mean "
            f"{large['mean']:.4g}, spread {large['std']:.3g})"
        )

    @staticmethod
    def _learnt(examination: Examination) -> tuple[float, float] | None:
        """The mean loss late in training and that of the best constant, at the busiest line."""
        known = [
            (int(record.data["calls"]), number(record.data["late_loss"]), number(constant))
            for record in last_by_place(examination, "loss.pairs")
            if number(constant := record.data.get("constant_loss")) > LEAST
            and record.data.get("late_loss") is not None
        ]
        if examination.last("loss.nonfinite") is not None and known:
            return math.inf, known[0][2]
        return max(known)[1:] if known else None


def _size(column: Mapping[str, Any]) -> float:
    return max(abs(number(column.get("mean"))), number(column.get("std")))


def _severity(columns: list[Mapping[str, Any]]) -> float:
    """1 and more: too large, or too unlike each other where some are large."""
    sizes = [_size(column) for column in columns if column.get("count")]
    spreads = [number(c.get("std")) for c in columns if c.get("count") and number(c["std"]) > 0]
    if not sizes:
        return 0.0
    unlike = max(spreads) / min(spreads) / UNLIKE if spreads else 0.0
    return max(max(sizes) / LARGE, unlike if max(sizes) >= AT_LEAST else 0.0)
