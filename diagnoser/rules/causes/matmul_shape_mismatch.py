"""The cause `matmul-shape-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import axes_swapped
from diagnoser.rules.readings import place_text
from diagnoser.schema import Location

MAX_LINES_ABOVE = 12


class MatmulShapeMismatch(CrashRule):
    """Two matrices are multiplied whose inner dimensions differ.

    What it detects:
        An exception of a matrix product: the last dimension of the left operand is not the first of
        the right one (a layer's in_features).
    Why it breaks training:
        X[B, F] @ W[F, H] needs the same F on both sides; the run ends at the first batch.
    Evidence:
        exception.raised: both sizes, the layer with its in_features and the line where it was
        constructed, the shapes of the tensors in the frames.
    Example:
        nn.Linear(9216, 128)   # the flattened input has 12544 values
    Use instead:
        nn.Linear(12544, 128)
    Can be confused with:
        A flatten that swallows the batch dimension (left operand of one row); a transposed weight.
    Verify:
        Print the shape right before the layer and compare its last number with in_features.
    Prevent:
        Compute in_features from a dummy forward, or assert it where the data are loaded.
    References:
        PyTorch documentation, torch.nn.Linear, torch.matmul.
    """

    slug: ClassVar[str] = "matmul-shape-mismatch"
    title: ClassVar[str] = "Inner dimensions of a matrix product differ"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": 0, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"mat1 and mat2 shapes cannot be multiplied "
        r"\((?P<a>\d+)x(?P<b>\d+) and (?P<c>\d+)x(?P<d>\d+)\)",
        r"size mismatch, m1: \[(?P<a>\d+) x (?P<b>\d+)\], m2: \[(?P<c>\d+) x (?P<d>\d+)\]",
        r"size mismatch, got input \((?P<a>\d+)\), "
        r"mat \((?P<c>\d+)x(?P<d>\d+)\), vec \((?P<b>\d+)\)",
        r"matmul: Input operand 1 has a mismatch in its core dimension 0"
        r".*size (?P<c>\d+) is different from (?P<b>\d+)",
        r"shapes \((?P<a>\d+),(?P<b>\d+)\) and \((?P<c>\d+),(?P<d>\d+)\) not aligned",
        r"Expected size for first two dimensions of batch2 tensor to be: "
        r"\[\d+, (?P<b>\d+)\] but got: \[\d+, (?P<c>\d+)\]",
        r"input\.size\(-1\) must be equal to input_size\. Expected (?P<c>\d+), got (?P<b>\d+)",
    )
    fix_summary: ClassVar[str] = "Make the layer's input size and the data's last dimension agree"
    prevention: ClassVar[str] = (
        "Run one batch through the model in a test, and derive in_features from the data."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        sizes = found.groupdict()
        given, wanted = sizes.get("b"), sizes.get("c")
        if "input_size" in found.group(0) and axes_swapped(
            crash, int(wanted or 0), int(given or 0)
        ):
            return None
        layer = crash.layer
        site = layer.site if layer is not None else None
        note = f"The left operand's last dimension is {given}, the right one's first is {wanted}"
        if layer is not None:
            note = f"{layer.text} expects {wanted} features and gets {given}"
            if site is not None:
                note += f" (constructed at {place_text(site)})"
        places: list[Location | None] = [site]
        if sizes.get("a") == "1" and given and wanted and int(given) % int(wanted) == 0:
            note += f"; one row of {given} values: the batch dimension was flattened away"
            places = [self._flatten_line(crash), crash.at, site]
        return crash.finding(note, places, {"shapes": crash.shapes()})

    @staticmethod
    def _flatten_line(crash: Crash) -> Location | None:
        """The nearest line at or above the call, in the same file, that flattens or reshapes."""
        if crash.at is None:
            return None
        for number in range(crash.at.line, max(crash.at.line - MAX_LINES_ABOVE, 0), -1):
            place = Location(file=crash.at.file, line=number)
            if re.search(r"flatten|view\(|reshape\(|ravel", crash.examination.line(place)):
                return place
        return crash.at
