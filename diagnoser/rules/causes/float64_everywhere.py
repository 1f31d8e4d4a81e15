"""The cause `float64-everywhere`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import STRONG, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, number
from diagnoser.rules.source_search import lines_matching
from diagnoser.schema import Location

FASTER = 1.3
"""Time in float64 over that in float32 from which a change is worth saying."""
SAME = 1e-3
"""Greatest relative difference of the outputs at which float32 computes the same."""
SHARE = 0.2
"""Share of a step that forward and backward take, below which they are not what is slow."""
CONVERSIONS = r"\.double\(\)|float64|DoubleTensor"


class Float64Everywhere(Rule):
    """Model and data are in double precision, which takes about twice the time for nothing.

    What it detects:
        Speed is asked about, all parameters and inputs of the model are float64, and a copy of the
        model is faster in float32 with the same outputs.
    Why it breaks training:
        It does not, but every product moves twice the bytes and half as many numbers fit into a
        vector register; on most GPUs float64 is 32 or 64 times slower.
    Evidence:
        model.precision: seconds of forward and backward in both precisions and the difference of
        the outputs; tensor.origin: the lines that make float64 tensors; time.split.
    Example:
        x = torch.from_numpy(table)                  # NumPy's default is float64
    Use instead:
        x = torch.from_numpy(table).float()
    Can be confused with:
        Double precision that a stiff or ill-conditioned computation needs.
    Verify:
        Print `x.dtype` and `next(model.parameters()).dtype`, and time a step in both.
    Prevent:
        Convert to float32 where arrays become tensors.
    References:
        NVIDIA CUDA C++ programming guide, table of arithmetic throughput.
    """

    slug: ClassVar[str] = "float64-everywhere"
    title: ClassVar[str] = "Everything is in double precision"
    category: ClassVar[str] = "performance"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {"slow": 0}
    needs: ClassVar[tuple[str, ...]] = ("model.precision", "tensor.origin", "time.split")
    fix_summary: ClassVar[str] = "Convert data and model to float32"
    prevention: ClassVar[str] = "Convert to float32 where arrays become tensors."

    def weigh(self, examination: Examination) -> list[Finding]:
        found = examination.last("model.precision")
        if found is None:
            if examination.last("run.torch") is None:
                return [missing("no model was run")]
            return [silent("no model with float64 parameters and inputs was seen")]
        data = found.data
        wide, narrow = number(data["float64"]), number(data["float32"])
        note = (
            f"All parameters and inputs of {data['model']} are float64: forward and backward of "
            f"{data['rows']} rows take {1000 * wide:.2f} ms, on a copy in float32 "
            f"{1000 * narrow:.2f} ms ({wide / max(narrow, 1e-9):.1f} times faster), with outputs "
            f"that differ by {number(data['difference']):.1g}"
        )
        fact = Fact("model.precision", note, None, found.step)
        split = examination.data("time.split")
        step = number(split.get("wall")) / max(int(split.get("updates", 1) or 1), 1)
        small = step > 0 and wide < SHARE * step
        if "slow" not in examination.asked or wide < FASTER * narrow or small:
            return [silent(note, facts=[fact])]
        if number(data["difference"]) > SAME:
            return [silent(f"{note}: double precision is needed here", facts=[fact])]
        places = self._places(examination)
        return [fired(STRONG, fact, note, places=places, direct=True)]

    @staticmethod
    def _places(examination: Examination) -> list[Location]:
        """Lines that make float64 tensors, then lines that name the precision."""
        made = [
            record.at
            for record in examination.of("tensor.origin")
            if record.at is not None
            and (record.data.get("result") or {}).get("dtype") == "float64"
            and (record.data.get("result") or {}).get("shape")
        ]
        named = lines_matching(examination.sources, CONVERSIONS)
        return list(dict.fromkeys([*made, *named]))[:6]
