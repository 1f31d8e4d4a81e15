"""Does one column of a model's input give the target away all by itself?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_ROWS = 2_000
MAX_COLUMNS = 256
MIN_COLUMNS = 3
MIN_ROWS = 100
CLOSE_BACKWARDS = 24


class TellingColumnCollector:
    """Keeps input rows with their targets for some steps and looks for a column that tells."""

    name: ClassVar[str] = "telling_columns"
    kinds: ClassVar[dict[str, str]] = {
        "column.tells": "column of the model's input, how it settles the target (rank: Spearman's "
        "correlation with a continuous target; value: share of rows whose repeated value always "
        "comes with one class), rows, the next best column's figure",
        "columns.summary": "rows and columns compared with targets",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._input: Any = None
        self._rows: list[Any] = []
        self._targets: list[Any] = []
        self._count = 0
        self._at: Optional[dict[str, Any]] = None

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        torch = self._probe.torch
        self._input = None
        if self._probe.backwards >= CLOSE_BACKWARDS or not torch.is_grad_enabled():
            return
        first = next((v for v in inputs if isinstance(v, torch.Tensor)), None)
        if first is None or first.dim() != 2 or not first.is_floating_point():
            return
        if MIN_COLUMNS <= first.shape[1] <= MAX_COLUMNS and not first.requires_grad:
            self._input = first.detach()
            self._at = self._at or self._probe.locate(self._probe.outside_frame(frame, module))

    def loss_called(self, call: Any) -> None:
        rows, self._input = self._input, None
        if rows is None or self._count >= MAX_ROWS or not call.input.requires_grad:
            return
        target = call.target.detach()
        if target.numel() != len(rows):
            return
        self._rows.append(rows.to("cpu", self._probe.torch.float64, copy=True))
        self._targets.append(target.reshape(-1).to("cpu", self._probe.torch.float64, copy=True))
        self._count += len(rows)

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._probe.backwards == CLOSE_BACKWARDS:
            self._judge()

    def finished(self, reason: str) -> None:
        self._judge()

    def _judge(self) -> None:
        rows, self._rows = self._rows, []
        targets, self._targets = self._targets, []
        if not rows or self._count < MIN_ROWS:
            return
        torch = self._probe.torch
        if any(part.shape[1] != rows[0].shape[1] for part in rows):
            return
        with torch.no_grad():
            table = torch.cat(rows)
            target = torch.cat(targets)
            table, index = torch.unique(table, dim=0, return_inverse=True)
            first = torch.zeros(len(table), dtype=torch.long)
            first[index] = torch.arange(len(index))
            target = target[first]
            if len(table) < MIN_ROWS or not bool(torch.isfinite(table).all()):
                return
            classes = torch.unique(target)
            whole = bool((target == target.round()).all()) and len(classes) <= 20
            if len(classes) < 2:
                return
            figures = [
                self._by_value(table[:, c], target) if whole else self._by_rank(table[:, c], target)
                for c in range(table.shape[1])
            ]
        order = sorted(range(len(figures)), key=lambda c: -figures[c])
        self._probe.record("columns.summary", {"rows": len(table), "columns": table.shape[1]})
        self._probe.record(
            "column.tells",
            {
                "column": order[0],
                "by": "value" if whole else "rank",
                "figure": figures[order[0]],
                "next": figures[order[1]],
                "rows": len(table),
                "values": int(torch.unique(table[:, order[0]]).numel()),
            },
            at=self._at,
        )

    def _by_rank(self, column: Any, target: Any) -> float:
        """Absolute rank correlation (Spearman) of a column with a continuous target."""
        torch = self._probe.torch
        ranks = [torch.argsort(torch.argsort(v)).double() for v in (column, target)]
        a, b = (r - r.mean() for r in ranks)
        return float(((a * b).mean() / (a.std() * b.std()).clamp(min=1e-12)).abs())

    def _by_value(self, column: Any, target: Any) -> float:
        """Share of all rows whose value repeats and always comes with one class."""
        torch = self._probe.torch
        values, place, counts = torch.unique(column, return_inverse=True, return_counts=True)
        if len(values) < 2 or len(values) > len(column) // 3:
            return 0.0
        least = torch.full((len(values),), float("inf"), dtype=torch.float64)
        most = torch.full((len(values),), float("-inf"), dtype=torch.float64)
        least = least.scatter_reduce(0, place, target, "amin")
        most = most.scatter_reduce(0, place, target, "amax")
        pure = (least == most) & (counts > 1)
        return float(counts[pure].sum() / len(column))


COLLECTOR = TellingColumnCollector
