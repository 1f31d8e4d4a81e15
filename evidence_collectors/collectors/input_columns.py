"""The columns of the floating-point batches that the models are given in training."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.columns import as_rows, marks, summary
from evidence_collectors.mark_weight import weight_of_marks

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_CALLS = 32
"""Training batches that are kept in part: an epoch of a small set, the first of a large one."""
ROWS_A_CALL = 64
MAX_INPUTS = 4
SAMPLE_ROWS = 256
MAX_SAMPLE = 200_000
"""Values of the batch that a copy of the model is tried on."""
MAX_LISTED = 32
WRITE_AT = 20
"""Backward calls after which the facts are written for the first time, in case the run is cut."""


class _Input:
    """Parts of the batches that one argument of one model was given."""

    __slots__ = ("at", "calls", "model", "parts", "position", "ref", "sample", "shape", "weights")

    def __init__(self, module: Any, position: int, at: Any) -> None:
        self.ref = weakref.ref(module)
        self.model = type(module).__name__
        self.position = position
        self.at = at
        self.calls = 0
        self.shape: list[int] = []
        self.parts: list[Any] = []
        self.sample: Any = None
        self.weights: dict[int, Any] = {}


class InputColumnCollector:
    """Keeps the first rows of the first batches, copied, and describes each column."""

    name: ClassVar[str] = "input_columns"
    kinds: ClassVar[dict[str, str]] = {
        "input.columns": "per model and floating argument: shape of the last batch, rows kept, for "
        "each column count, min, max, mean, std, distinct values; marks: repeated exact values far "
        "outside the range of all others, with gap in units of that range, the spread without them "
        "and weight: gradient of a copy's output at marks and at others, whether they are masked",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._inputs: dict[tuple[int, int], _Input] = {}
        self._written = 0

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        torch = self._probe.torch
        if not torch.is_grad_enabled() or next(module.parameters(), None) is None:
            return
        for position, value in enumerate(inputs[:MAX_INPUTS]):
            if (
                isinstance(value, torch.Tensor)
                and value.is_floating_point()
                and value.layout == torch.strided
                and not value.requires_grad
            ):
                self._keep(torch, module, position, value, inputs, frame)

    def _keep(
        self, torch: Any, module: Any, position: int, value: Any, inputs: Any, frame: Any
    ) -> None:
        key = (id(module), position)
        known = self._inputs.get(key)
        if known is None or known.ref() is not module:
            if len(self._inputs) >= 4 * MAX_INPUTS:
                return
            known = _Input(module, position, self._probe.locate(frame))
            self._inputs[key] = known
            if value.numel() <= MAX_SAMPLE and value.dim() > 1 and len(inputs) == 1:
                known.sample = value.detach()[:SAMPLE_ROWS].clone()
        known.calls += 1
        if known.calls > MAX_CALLS:
            return
        with torch.no_grad():
            rows = as_rows(value.detach())
            if rows is None or (known.parts and known.parts[0].shape[1] != rows.shape[1]):
                return
            step = max(1, rows.shape[0] // ROWS_A_CALL)
            known.shape = list(value.shape)
            known.parts.append(rows[::step][:ROWS_A_CALL].to("cpu", torch.float64, copy=True))

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._probe.since_novelty == WRITE_AT and self._written < 2:
            self._write()

    def finished(self, reason: str) -> None:
        self._write()
        self._inputs.clear()

    def _write(self) -> None:
        self._written += 1
        torch = self._probe.torch
        for known in self._inputs.values():
            if not known.parts:
                continue
            with torch.no_grad():
                rows = torch.cat(known.parts)
                columns = []
                for index in range(rows.shape[1]):
                    facts = summary(torch, rows[:, index])
                    facts["column"] = index
                    facts["marks"] = marks(torch, rows[:, index])
                    columns.append(facts)
            self._weigh_marks(torch, known, columns)
            marked = [facts for facts in columns if facts["marks"]]
            plain = [facts for facts in columns if not facts["marks"]]
            self._probe.record(
                "input.columns",
                {
                    "model": known.model,
                    "position": known.position,
                    "calls": known.calls,
                    "rows": int(rows.shape[0]),
                    "width": int(rows.shape[1]),
                    "shape": known.shape,
                    "columns": (marked + plain)[:MAX_LISTED],
                },
                at=known.at,
            )

    @staticmethod
    def _weigh_marks(torch: Any, known: _Input, columns: list[dict[str, Any]]) -> None:
        """Note whether the model's result depends on the marked values, while a sample is there."""
        found = {facts["column"]: facts["marks"] for facts in columns if facts["marks"]}
        model, sample, known.sample = known.ref(), known.sample, None
        if found and model is not None and sample is not None:
            exact = {
                column: [entry["value"] for entry in entries["values"]]
                for column, entries in found.items()
            }
            known.weights = weight_of_marks(torch, model, sample, exact)
        for column, entries in found.items():
            entries["weight"] = known.weights.get(column)


COLLECTOR = InputColumnCollector
