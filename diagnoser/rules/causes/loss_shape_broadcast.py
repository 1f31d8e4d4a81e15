"""The cause `loss-shape-broadcast`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text, shape_text

BROADCASTING_LOSSES = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})


WARNING = (
    r"Using a target size \(torch\.Size\(\[(?P<target>[\d, ]*)\]\)\) that is different to the "
    r"input size \(torch\.Size\(\[(?P<input>[\d, ]*)\]\)\)\. This will likely lead"
)
"""The warning of torch.nn.functional's regression losses."""


class LossShapeBroadcast(Rule):
    """Prediction and target have the same number of values in different shapes and broadcast.

    What it detects:
        Under the loss, [N, 1] meets [N] (or the reverse): the result is [N, N], every prediction is
        compared with every target.
    Why it breaks training:
        The best answer is then the constant that is nearest to all targets: a line through
        (1,3) (2,3) (3,7) (4,7) ends flat with loss 4 instead of 0.8. There is no error.
    Evidence:
        loss.inputs: shapes at the loss's door; operation.broadcast: for hand-written losses, the
        operator, both operands' real shapes and the line.
    Example:
        loss = F.mse_loss(model(x), y)             # [32, 1] against [32]
    Use instead:
        loss = F.mse_loss(model(x).squeeze(1), y)
    Can be confused with:
        Pairwise distances, quantile heads [N, Q] against [N, 1], masks: intended broadcasting,
        where the numbers of values differ or both sides are differentiable.
    Verify:
        assert prediction.shape == target.shape
    Prevent:
        Assert equal shapes right before the loss.
    References:
        PyTorch documentation, "Broadcasting semantics"; NumPy, "Broadcasting".
    """

    slug: ClassVar[str] = "loss-shape-broadcast"
    title: ClassVar[str] = "Prediction and target broadcast under the loss"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -4,
        "loss-plateaus": -4,
        "underfitting": -3,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"using a target size .{0,120}different (to|from) the input size|"
            r"\(n, ?1\)|\[\d+, ?1\]|unsqueeze|squeeze|broadcast",
            12,
        ),
        Cue(
            r"(predicts?|outputs?|gives?|predictions?) .{0,30}(average|mean|"
            r"same (number|value)|constant)|variance of the target|mean of the target",
            8,
        ),
        Cue(r"regression|\bmse\b|house|price|target values?", 3),
    )
    needs: ClassVar[tuple[str, ...]] = ("loss.inputs", "operation.broadcast")
    fix_summary: ClassVar[str] = (
        "Give both the same shape: squeeze the prediction or unsqueeze the target"
    )
    prevention: ClassVar[str] = "Write `assert prediction.shape == target.shape` before the loss."

    def weigh(self, examination: Examination) -> list[Finding]:
        findings = [
            self._read(record, record.data["input"]["shape"], record.data["target"]["shape"])
            for record in examination.of("loss.inputs")
            if self._is_square(record)
        ][:1]
        for record in examination.of("operation.broadcast"):
            if not any(record.at == place for finding in findings for place in finding.places):
                findings.append(self._read(record, record.data["left"], record.data["right"]))
        if findings:
            return findings
        warned = self._warned(examination)
        if warned is not None:
            return [warned]
        if examination.last("operation.watched") is None and not examination.of("loss.inputs"):
            return [missing("no loss was looked at")]
        shapes = [
            record
            for record in examination.of("loss.inputs")
            if record.data.get("loss") in BROADCASTING_LOSSES
        ]
        if shapes:
            text = (
                f"Prediction {shape_text(shapes[0].data['input']['shape'])} and target "
                f"{shape_text(shapes[0].data['target']['shape'])} have one shape under the loss"
            )
            return [silent(text, facts=(Fact("loss.inputs", text, shapes[0].at),))]
        return [silent("no arithmetic between a column and a row was seen")]

    @staticmethod
    def _warned(examination: Examination) -> Finding | None:
        """The library's own warning in a log, where nothing was run."""
        found = None if examination.ran else re.search(WARNING, examination.words)
        if found is None:
            return None
        target, given = (
            [int(size) for size in re.findall(r"\d+", found[name])] for name in ("target", "input")
        )
        note = (
            f"The log warns of a prediction {shape_text(given)} against a target "
            f"{shape_text(target)}, which broadcast to {shape_text(_broadcast(given, target))}"
        )
        return fired(DECISIVE, Fact("words", note), note, direct=True)

    @staticmethod
    def _is_square(record: Record) -> bool:
        data = record.data
        if data.get("loss") not in BROADCASTING_LOSSES or not data.get("broadcast"):
            return False
        left, right = data["input"]["shape"], data["target"]["shape"]
        same_count = _count(left) == _count(right)
        return (
            bool(data["input"].get("requires_grad"))
            and same_count
            and _count(left) > 1
            and (_count(_broadcast(left, right)) > _count(left))
        )

    @staticmethod
    def _read(record: Record, left: Any, right: Any) -> Finding:
        note = (
            f"{shape_text(left)} against {shape_text(right)} broadcast to "
            f"{shape_text(_broadcast(left, right))} at {place_text(record.at)}: every prediction "
            f"meets every target"
        )
        fact = Fact(record.kind, note, record.at, record.step, {"left": left, "right": right})
        return fired(DECISIVE, fact, note, places=[record.at], direct=True)


def _count(shape: Any) -> int:
    size = 1
    for length in shape:
        size *= int(length)
    return size


def _broadcast(left: Any, right: Any) -> list[int]:
    """The broadcast shape, compared from the right; empty if the shapes do not agree."""
    result: list[int] = []
    for index in range(max(len(left), len(right))):
        a = int(left[-1 - index]) if index < len(left) else 1
        b = int(right[-1 - index]) if index < len(right) else 1
        if a != b and 1 not in (a, b):
            return []
        result.insert(0, max(a, b))
    return result
