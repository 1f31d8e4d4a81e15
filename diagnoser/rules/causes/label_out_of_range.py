"""The cause `label-out-of-range`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import last_layer
from diagnoser.schema import Location


class LabelOutOfRange(CrashRule):
    """A class id is not one of the model's classes.

    What it detects:
        A loss over classes meets a class id below 0 or not below the number of outputs.
    Why it breaks training:
        The loss picks the target's column of the output; there is none. On a GPU the message is a
        device-side assert that names neither.
    Evidence:
        exception.raised: the id, the shape of the output, the least and greatest id of the batch.
    Example:
        head = nn.Linear(64, 10)      # labels run from 1 to 10
    Use instead:
        head = nn.Linear(64, 10)
        labels = labels - 1           # 0 to 9
    Can be confused with:
        A token id outside an embedding's table; a mark for ignored targets that the loss was not
        told.
    Verify:
        Print labels.min(), labels.max() and the last layer's out_features.
    Prevent:
        Assert 0 <= labels.min() and labels.max() < classes where the data are loaded.
    References:
        PyTorch documentation, torch.nn.CrossEntropyLoss.
    """

    slug: ClassVar[str] = "label-out-of-range"
    title: ClassVar[str] = "A class id lies outside of the model's classes"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6, "shape-mismatch": -10}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Target (?P<label>-?\d+) is out of bounds",
        r"Class values must be (smaller than num_classes|non-negative)",
        r"Assertion `t >= 0 && t < n_classes`",
        r"nll_loss.*[Aa]ssert.*n_classes",
        r"index (?P<label>-?\d+) is out of bounds for dimension 1 with size (?P<classes>\d+)",
    )
    fix_summary: ClassVar[str] = (
        "Make labels run from 0 to C-1, or give the last layer that many outputs"
    )
    prevention: ClassVar[str] = (
        "Assert the range of the labels where they are loaded, against the model's number of "
        "outputs."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        groups = found.groupdict()
        output, target = self._operands(crash)
        if groups.get("classes") and not (output or target):
            return None
        shape = (output or {}).get("shape") or []
        classes = groups.get("classes") or (str(shape[1]) if len(shape) > 1 else None)
        least, greatest = (target or {}).get("min"), (target or {}).get("max")
        note = f"The class id {groups.get('label') or 'of a target'} is out of range"
        if classes:
            note += f": the output has {classes} classes, so ids run from 0 to {int(classes) - 1}"
        if least is not None and greatest is not None:
            note += f"; this batch's ids run from {least:g} to {greatest:g}"
        return crash.finding(note, self._places(crash, classes, least, greatest))

    @staticmethod
    def _operands(
        crash: Crash,
    ) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """Output and target as the functional loss got them."""
        for frame in reversed(crash.frames):
            tensors = frame.get("tensors") or {}
            if not frame.get("user") and "input" in tensors and "target" in tensors:
                return tensors["input"], tensors["target"]
        return None, None

    @staticmethod
    def _places(
        crash: Crash, classes: str | None, least: Any, greatest: Any
    ) -> list[Location | None]:
        """The line that makes the ids if they only start at the wrong number, else the layer."""
        ids = [
            record.at
            for record in crash.examination.of("tensor.origin")
            if (record.data.get("result") or {}).get("dtype") == "int64"
        ]
        head = last_layer(crash, classes)
        shifted = (
            least is not None and classes is not None and least >= 1 and greatest == int(classes)
        )
        negative = least is not None and least < 0
        return [*ids[-1:], head] if shifted or negative else [head, *ids[-1:]]
