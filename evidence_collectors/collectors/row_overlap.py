"""Do the same rows train the model and evaluate it?

Rows of the models' inputs are compared by content. A call trains if a backward call uses its
output; what runs without gradients evaluates. Training rows are seen in the steps that are looked
at only, so that the share of them that has been seen by then is kept beside the counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.graph import sequence_number

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_SEEN = 60_000
MAX_ROWS = 2_000
MIN_ROWS = 20
MAX_PENDING = 6
MAX_CALLS = 60
MAX_LINES = 16
CONTINUOUS = 0.5
"""Share of distinct values that one column of the rows must have for equal rows to be the same."""


class RowOverlapCollector:
    """Counts evaluated rows that have also trained the same model."""

    name: ClassVar[str] = "row_overlap"
    kinds: ClassVar[dict[str, str]] = {
        "rows.shared": "evaluation calls grouped by line: rows of the call with most shared rows "
        "that are part of it only, those that had trained the model, distinct training rows seen, "
        "share of training rows that had been seen before when they came again",
        "rows.summary": "training rows seen, evaluation calls looked at, whether rows have a "
        "column of continuous values",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._pending: list[tuple[int, list[int]]] = []
        self._current: Optional[list[int]] = None
        self._trained: set[int] = set()
        self._again: list[float] = []
        self._calls = 0
        self._continuous = False
        self._shared: dict[Any, dict[str, Any]] = {}

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._trained.clear()
        self._again.clear()
        self._pending.clear()

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        torch = self._probe.torch
        self._current = None
        first = next((v for v in inputs if isinstance(v, torch.Tensor)), None)
        if first is None or not first.is_floating_point() or first.dim() < 2:
            return
        if first.shape[0] < 2 or first.requires_grad or next(module.parameters(), None) is None:
            return
        evaluating = not torch.is_grad_enabled()
        if evaluating and (self._calls >= MAX_CALLS or first.shape[0] < MIN_ROWS):
            return
        if not evaluating and (self._probe.quiet or len(self._trained) >= MAX_SEEN):
            return
        rows = (
            first.detach()[:MAX_ROWS]
            .to("cpu", torch.float32)
            .reshape(min(len(first), MAX_ROWS), -1)
        )
        if not self._continuous:
            column = rows[:, :8]
            distinct = max(int(torch.unique(column[:, i]).numel()) for i in range(column.shape[1]))
            self._continuous = distinct > CONTINUOUS * len(rows)
        marks = [hash(row.tobytes()) for row in rows.contiguous().numpy()]
        if evaluating:
            self._evaluated(marks, frame)
        else:
            self._current = marks

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        marks, self._current = self._current, None
        if marks is None or not isinstance(output, self._probe.torch.Tensor):
            return
        number = sequence_number(output)
        if number >= 0:
            self._pending = [*self._pending, (number, marks)][-MAX_PENDING:]

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if not self._pending:
            return
        pending, self._pending = self._pending, []
        inside = self._probe.sequence_below(tensors)
        for number, marks in pending:
            if number in inside:
                known = sum(mark in self._trained for mark in marks)
                self._again = [*self._again, known / len(marks)][-8:]
                self._trained.update(marks)

    def _evaluated(self, marks: list[int], frame: Any) -> None:
        if not self._trained or not self._again:
            return
        self._calls += 1
        known = sum(mark in self._trained for mark in marks)
        seen = sum(self._again) / len(self._again)
        stack = self._probe.user_stack(frame, 3)
        key = str([(entry["file"], entry["line"]) for entry in stack])
        facts = {
            "rows": len(marks),
            "shared": known,
            "trained": len(self._trained),
            "coverage": seen,
            "stack": stack,
        }
        spread = 5 * (seen * (1 - seen) / len(marks)) ** 0.5
        part = 0 < known < (seen - spread) * len(marks)
        before = self._shared.get(key)
        more = before is None or known / len(marks) > before["shared"] / before["rows"]
        if part and more and len(self._shared) < MAX_LINES:
            self._shared[key] = facts

    def finished(self, reason: str) -> None:
        for facts in self._shared.values():
            at = facts["stack"][0] if facts["stack"] else None
            self._probe.record("rows.shared", facts, at=at)
        self._probe.record(
            "rows.summary",
            {
                "trained": len(self._trained),
                "calls": self._calls,
                "continuous": self._continuous,
            },
        )


COLLECTOR = RowOverlapCollector
