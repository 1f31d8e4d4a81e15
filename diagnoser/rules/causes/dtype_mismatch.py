"""The cause `dtype-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import place_text
from diagnoser.schema import Location

PATTERNS = (
    r"must have the same dtype",
    r"expected scalar type (?P<wanted>\w+) but found (?P<given>\w+)",
    r"expected m1 and m2 to have the same dtype",
    r"[Ff]ound dtype (?P<given>\w+) but expected (?P<wanted>\w+)",
    r"expected target dtype to be (?P<wanted>[\w ]+), but got (?P<given>\w+)",
    r"to have one of the following scalar types: (?P<wanted>[\w, ]+?); but got torch\.(cuda\.)?"
    r"(?P<given>\w+?)Tensor",
    r"result type (?P<given>\w+) can't be cast to the desired output type (?P<wanted>\w+)",
    r"input dtype \(torch\.(?P<given>\w+)\) does not match weight dtype \(torch\.(?P<wanted>\w+)\)",
    r"Input type \((?P<given>[\w.]+)\) and (weight|bias) type \((?P<wanted>[\w.]+)\) should be",
    r"not implemented for '(?P<given>\w+)'",
    r"can't convert np\.ndarray of type numpy\.(?P<given>\w+)",
    r"Input and parameter tensors are not the same dtype",
    r"only Tensors of floating point.*can require gradients",
    r"expected (?P<wanted>\w+) (?:tensor )?but got (?P<given>\w+)",
)
MAX_SHOWN = 5
NAMES = {
    "double": "float64",
    "float": "float32",
    "long": "int64",
    "int": "int32",
    "half": "float16",
    "byte": "uint8",
    "bool": "bool",
    "short": "int16",
    "char": "int8",
    "float64": "float64",
    "float32": "float32",
    "object_": "object",
}


class DtypeMismatch(CrashRule):
    """Tensors of one operation have different or unfit dtypes.

    What it detects:
        An exception about dtypes: float64 against float32, class ids that are not integers,
        integers into a float layer.
    Why it breaks training:
        torch does not convert between dtypes inside a layer or a loss; the run ends there.
    Evidence:
        exception.raised with the dtypes of the tensors in the frames; tensor.origin: the line that
        made a tensor of the offending dtype.
    Example:
        x = torch.from_numpy(frame.to_numpy())          # float64
    Use instead:
        x = torch.from_numpy(frame.to_numpy()).float()  # float32, as the weights
    Can be confused with:
        Tensors on different devices, whose message also names types.
    Verify:
        Print x.dtype and next(model.parameters()).dtype right before the call.
    Prevent:
        Convert once, where the data are loaded: features float32, class ids int64.
    References:
        PyTorch documentation, "Tensor attributes: torch.dtype".
    """

    slug: ClassVar[str] = "dtype-mismatch"
    title: ClassVar[str] = "The dtypes of one operation do not fit"
    category: ClassVar[str] = "dtype"
    prior: ClassVar[Mapping[str, int]] = {"crash": -4, "shape-mismatch": -14}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised", "tensor.origin")
    patterns: ClassVar[tuple[str, ...]] = PATTERNS
    fix_summary: ClassVar[str] = (
        "Convert once where the tensor is made: features float32, ids int64"
    )
    prevention: ClassVar[str] = (
        "Convert where the data are loaded and assert the dtypes of the first batch."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        if "device" in crash.message or crash.message.count("cuda.") == 1:
            return None
        tensors = dict(crash.tensors)
        for name, facts in (crash.layer.parameters if crash.layer is not None else {}).items():
            tensors.setdefault(name, {**facts, "parameter": True})
        given = self._dtype(found.groupdict().get("given")) or self._odd_one(tensors)
        suspects = [facts for facts in tensors.values() if facts.get("dtype") == given]
        origin = self._origin(crash.examination, given, suspects)
        shown = ", ".join(
            f"{name} {facts.get('dtype')}" for name, facts in list(tensors.items())[:MAX_SHOWN]
        )
        note = f"{crash.message.splitlines()[0][:140]}"
        if shown:
            note += f" ({shown})"
        if origin is not None and given:
            note += f"; the {given} tensor is made at {place_text(origin)}"
        return crash.finding(note, [origin])

    @staticmethod
    def _dtype(name: str | None) -> str:
        if not name:
            return ""
        short = name.split(".")[-1].lower().removesuffix("tensor")
        return NAMES.get(short, short)

    @staticmethod
    def _odd_one(tensors: Mapping[str, Mapping[str, Any]]) -> str:
        """The dtype that is not the parameters' own."""
        own = {facts["dtype"] for facts in tensors.values() if facts.get("parameter")}
        others = [
            facts["dtype"]
            for facts in tensors.values()
            if facts["dtype"] not in own and not facts.get("parameter")
        ]
        return str(others[0]) if others and own else "float64"

    @staticmethod
    def _origin(
        examination: Examination, given: str, suspects: list[Mapping[str, Any]]
    ) -> Location | None:
        """The line that made a tensor of the dtype, of fitting rank if one is known."""
        made = [
            record
            for record in examination.of("tensor.origin")
            if (record.data.get("result") or {}).get("dtype") == given
        ]
        ranks = {len(facts["shape"]) for facts in suspects}
        tails = {tuple(facts["shape"][1:]) for facts in suspects}
        shapes = [tuple(record.data["result"]["shape"]) for record in made]
        for fits in (
            [shape[1:] in tails for shape in shapes],
            [len(shape) in ranks or len(shape) + 1 in ranks for shape in shapes],
            [not suspects for _ in shapes],
        ):
            found = [record for record, fit in zip(made, fits, strict=True) if fit]
            if found:
                return found[-1].at
        return None
