"""Recounts what the script's own comparisons of predictions with labels come to.

A pass is what is compared at one line between two backward calls. Where the model's output of the
same rows is at hand, its natural prediction (the greatest column, or the sign) is compared with the
same labels too.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LINES = 16
MAX_OUTPUTS = 2
MAX_ELEMENTS = 200_000
"""Outputs up to this size are kept until the next backward call, for the comparison after them."""
MIN_ROWS = 2


class _Line:
    """The comparisons of one line."""

    def __init__(self, at: Optional[dict[str, Any]]) -> None:
        self.at = at
        self.rows = self.equal = self.calls = 0
        self.other = self.other_rows = self.other_equal = 0
        self.last: Optional[dict[str, Any]] = None
        self.passes = 0

    def close(self, *, final: bool) -> None:
        """End a pass; `final` if no backward call came after it."""
        if self.calls:
            self.passes += 1
            self.last = {
                "rows": self.rows,
                "equal": self.equal,
                "calls": self.calls,
                "final": final,
            }
            self.rows = self.equal = self.calls = 0


class MetricCountCollector:
    """Adds up, by line and pass, rows compared and rows found equal."""

    name: ClassVar[str] = "metric_counts"
    kinds: ClassVar[dict[str, str]] = {
        "metric.compared": "per line that compares predictions with labels: passes, of the last "
        "one rows, equal rows, calls, whether no backward came after; over "
        "all passes, rows in which neither operand is the "
        "natural prediction of the model's output, those equal, and those in which it would be",
        "metric.shapes": "a comparison whose operands broadcast, or one of which is the single "
        "greatest index of all: shapes, rows; line of the comparison and of the choice",
        "metric.axis": "argmax over the batch axis of a model's output: shape, axis",
        "metric.summary": "comparisons looked at",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._lines: dict[Any, _Line] = {}
        self._outputs: list[Any] = []
        self._choices: dict[int, Any] = {}
        self._odd: dict[Any, dict[str, Any]] = {}
        self._axes: dict[Any, dict[str, Any]] = {}
        self._looked = 0

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        if not isinstance(output, self._probe.torch.Tensor) or output.dim() not in (1, 2):
            return
        if output.numel() <= MAX_ELEMENTS:
            self._outputs = [*self._outputs, output.detach()][-MAX_OUTPUTS:]

    def chosen(self, source: Any, axis: Any, result: Any, frame: Any) -> None:
        if not isinstance(result, self._probe.torch.Tensor):
            return
        if len(self._choices) > 64:
            self._choices.clear()
        at = self._probe.locate(frame)
        self._choices[id(result)] = (weakref.ref(result), list(source.shape), axis, at)
        is_output = any(kept.data_ptr() == source.data_ptr() for kept in self._outputs)
        if is_output and source.dim() == 2 and axis in (0, -2) and source.shape[0] > 1:
            key = (frame.f_code, frame.f_lasti)
            facts = {"shape": list(source.shape), "axis": axis, "at": at}
            self._axes.setdefault(key, facts)

    def compared(self, left: Any, right: Any, result: Any, frame: Any) -> None:
        torch = self._probe.torch
        whole = (not x.is_floating_point() or bool((x == x.round()).all()) for x in (left, right))
        if not all(whole):
            return
        rows = max(left.numel(), right.numel())
        if rows < MIN_ROWS or not isinstance(result, torch.Tensor):
            return
        self._looked += 1
        key = (frame.f_code, frame.f_lasti)
        if left.shape != right.shape:
            self._note_odd(key, left, right, result, frame)
            return
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) >= MAX_LINES:
                return
            line = self._lines[key] = _Line(self._probe.locate(frame))
        line.calls += 1
        line.rows += rows
        line.equal += int(result.sum())
        natural = self._natural(left, right)
        if natural is not None:
            line.other += natural
            line.other_rows += rows
            line.other_equal += int(result.sum())

    def _note_odd(self, key: Any, left: Any, right: Any, result: Any, frame: Any) -> None:
        single = next((x for x in (left, right) if x.numel() == 1), None)
        if single is not None:
            choice = self._choices.get(id(single))
            if choice is None or choice[0]() is not single or choice[2] is not None:
                return
        elif not self._crosses(left, right) or self._probe.last_loss is None:
            return
        facts = {
            "left": list(left.shape),
            "right": list(right.shape),
            "result": list(result.shape),
            "greatest_of_all": single is not None,
            "count": 0,
            "at": self._probe.locate(frame),
        }
        self._odd.setdefault(key, facts)["count"] += 1

    @staticmethod
    def _crosses(left: Any, right: Any) -> bool:
        """A column meets a row of as many entries without being asked to (no axis was added).

        [N, 1] against [1, N] is written on purpose, and so is a tensor against its own view.
        """
        flat, column = sorted((left, right), key=lambda tensor: tensor.dim())
        return bool(
            flat.dim() == 1
            and column.dim() == 2
            and column.shape[1] == 1
            and column.shape[0] == flat.shape[0] > 1
            and left.data_ptr() != right.data_ptr()
        )

    def _natural(self, left: Any, right: Any) -> Optional[int]:
        """Rows in which the natural prediction equals the label, if neither operand is it."""
        for values in reversed(self._outputs):
            if values.shape[0] != left.numel() or left.dim() > 2:
                continue
            if values.dim() == 2 and values.shape[1] > 1:
                predicted = values.argmax(1)
            else:
                flat = values.reshape(-1)
                if not all(bool(((x == 0) | (x == 1)).all()) for x in (left, right)):
                    continue
                edge = 0.5 if bool(((flat >= 0) & (flat <= 1)).all()) else 0.0
                predicted = flat > edge
            agreed = []
            for operand in (left, right):
                same = int((operand.reshape(-1).to(predicted.dtype) == predicted).sum())
                agreed.append(same)
            # an operand that is the natural prediction says nothing about the other
            return None if max(agreed) == left.numel() else max(agreed)
        return None

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        self._outputs.clear()
        self._choices.clear()
        for line in self._lines.values():
            line.close(final=False)

    def finished(self, reason: str) -> None:
        for line in self._lines.values():
            line.close(final=True)
            if line.last is not None:
                facts = {
                    **line.last,
                    "passes": line.passes,
                    "other_rows": line.other_rows,
                    "other_equal": line.other_equal,
                    "natural": line.other,
                }
                self._probe.record("metric.compared", facts, at=line.at)
        for kind, table in (("metric.shapes", self._odd), ("metric.axis", self._axes)):
            for entry in table.values():
                facts = {key: value for key, value in entry.items() if key != "at"}
                self._probe.record(kind, facts, at=entry["at"])
        self._probe.record("metric.summary", {"looked": self._looked})


COLLECTOR = MetricCountCollector
