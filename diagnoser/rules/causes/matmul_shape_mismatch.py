"""The cause `matmul-shape-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import DECISIVE, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.schema import Location

PATTERNS = (
    r"mat1 and mat2 shapes cannot be multiplied "
    r"\((?P<a>\d+)x(?P<b>\d+) and (?P<c>\d+)x(?P<d>\d+)\)",
    r"size mismatch, m1: \[(?P<a>\d+) x (?P<b>\d+)\], m2: \[(?P<c>\d+) x (?P<d>\d+)\]",
    r"size mismatch, got input \((?P<a>\d+)\), mat \((?P<c>\d+)x(?P<d>\d+)\), vec \((?P<b>\d+)\)",
    r"matmul: Input operand 1 has a mismatch in its core dimension 0.*size (?P<c>\d+) is different "
    r"from (?P<b>\d+)",
    r"shapes \((?P<a>\d+),(?P<b>\d+)\) and \((?P<c>\d+),(?P<d>\d+)\) not aligned",
    r"Expected size for first two dimensions of batch2 tensor to be: \[\d+, (?P<b>\d+)\] but got: "
    r"\[\d+, (?P<c>\d+)\]",
    r"input\.size\(-1\) must be equal to input_size\. Expected (?P<c>\d+), got (?P<b>\d+)",
)


class MatmulShapeMismatch(Rule):
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
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": 0, "crash": -6}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised",)
    fix_summary: ClassVar[str] = "Make the layer's input size and the data's last dimension agree"
    prevention: ClassVar[str] = (
        "Run one batch through the model in a test, and derive in_features from the data."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        raised = examination.last("exception.raised")
        if raised is None:
            return [
                silent("no exception was raised") if examination.ran else missing("it was not run")
            ]
        found = None
        for pattern in PATTERNS:
            found = re.search(pattern, str(raised.data.get("message")))
            if found is not None:
                break
        if found is None:
            return [silent("the exception is not one of a matrix product")]
        return [self._read(raised, found.groupdict(), examination)]

    def _read(
        self, raised: Record, sizes: Mapping[str, str | None], examination: Examination
    ) -> Finding:
        given, wanted = sizes.get("b"), sizes.get("c")
        layer, site, parent = self._layer(raised)
        rows = sizes.get("a")
        note = f"The left operand's last dimension is {given}, the right one's first is {wanted}"
        if layer:
            note = f"{layer} expects {wanted} features and gets {given}"
            if site is not None:
                note += f" (constructed at {place_text(site)})"
        places: list[Location | None] = [site, raised.at]
        swallowed = bool(rows == "1" and given and wanted and int(given) % int(wanted) == 0)
        if swallowed:
            flatten = self._flatten_line(raised, examination)
            note += f"; one row of {given} values: the batch dimension was flattened away"
            places = [flatten, raised.at, site]
        elif parent is not None and site is not None and raised.at is not None:
            places = [site, parent, raised.at]
        fact = Fact(
            "exception.raised", note, raised.at, raised.step, {"shapes": self._shapes(raised)}
        )
        return fired(DECISIVE, fact, note, places=places, direct=True)

    @staticmethod
    def _layer(raised: Record) -> tuple[str, Location | None, Location | None]:
        for frame in reversed(raised.data.get("frames", ())):
            module = frame.get("module")
            if module and module.get("parameters"):
                return str(module["text"]), location(module.get("site")), None
        return "", None, None

    @staticmethod
    def _flatten_line(raised: Record, examination: Examination) -> Location | None:
        """The nearest line at or above the call, in the same file, that flattens or reshapes."""
        if raised.at is None:
            return None
        for number in range(raised.at.line, max(raised.at.line - 12, 0), -1):
            place = Location(file=raised.at.file, line=number)
            if re.search(r"flatten|view\(|reshape\(|ravel", examination.line(place)):
                return place
        return raised.at

    @staticmethod
    def _shapes(raised: Record) -> dict[str, Any]:
        shapes: dict[str, Any] = {}
        for frame in raised.data.get("frames", ()):
            if frame.get("user"):
                for name, facts in (frame.get("tensors") or {}).items():
                    shapes[name] = shape_text(facts.get("shape"))
        return shapes
