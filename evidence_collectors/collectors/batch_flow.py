"""What training gets batch by batch: the same batch again, ordered labels, what is predicted.

Batches are compared by a fingerprint of their values; labels and predictions are read where they
meet, at the door of a classification loss.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.locals_view import named_values

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LOOKED = 160
MAX_CLASSES = 128
KEPT_ROWS = 1024
CLOSE_CALLS = 12
"""Calls whose rows are counted; later ones are only told apart from each other."""
MAX_SITES = 8
POOL_FROM, POOL_TO = 3, 8
CLASS_LOSSES = frozenset({"cross_entropy", "nll_loss"})
BINARY_LOSSES = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})


class _Labels:
    """The class labels that one line hands to a loss."""

    def __init__(self, at: Optional[dict[str, Any]]) -> None:
        self.at = at
        self.batches = self.rows = self.classes_in_batches = 0
        self.counts: dict[int, int] = {}
        self.scores: deque[Any] = deque(maxlen=64)


class BatchFlowCollector:
    """Counts distinct batches, distinct labels in a batch, and predictions by class."""

    name: ClassVar[str] = "batch_flow"
    kinds: ClassVar[dict[str, str]] = {
        "batches.inputs": "training calls of the main model looked at, distinct batches, "
        "rows, distinct rows in a batch at most (first calls), whether a tensor of that shape "
        "stays in the user's names; line",
        "batches.labels": "batches of class labels looked at, rows, mean number of classes in a "
        "batch, labels by class over all of them",
        "batches.predicted": "the last rows that met their labels: labels and predictions by "
        "class, and how well the score of the rarest class ranks its rows (area under the curve)",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._seen: set[Any] = set()
        self._looked = self._rows = self._distinct_rows = 0
        self._weights: Any = None
        self._at: Optional[dict[str, Any]] = None
        self._model: Any = None
        self._labels: dict[Any, _Labels] = {}
        self._pool: list[Any] = []
        self._pool_kept = False

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        torch = self._probe.torch
        if self._probe.quiet or not torch.is_grad_enabled() or self._looked >= MAX_LOOKED:
            return
        first = next((v for v in inputs if isinstance(v, torch.Tensor) and v.dim() > 0), None)
        if first is None or first.requires_grad or first.numel() == 0:
            return
        if self._model is None and any(p.requires_grad for p in module.parameters()):
            self._model = (type(module), id(module))
            self._at = self._probe.locate(self._probe.outside_frame(frame, module))
        if self._model != (type(module), id(module)):
            return
        values = first.detach()
        flat = values.reshape(values.shape[0], -1)
        marks = self._marks(flat.real if flat.is_complex() else flat)
        self._looked += 1
        self._rows = max(self._rows, int(values.shape[0]))
        if self._looked <= CLOSE_CALLS:
            self._distinct_rows = max(self._distinct_rows, int(torch.unique(marks).numel()))
        self._look_for_pool(first, frame)
        self._seen.add((tuple(values.shape), marks.sum().item(), marks.abs().sum().item()))

    def _marks(self, rows: Any) -> Any:
        """One number a row that tells rows apart: their sum with a weight for each place."""
        torch = self._probe.torch
        width = rows.shape[1]
        if self._weights is None or len(self._weights) != width:
            place = torch.arange(1, width + 1, dtype=torch.float64, device=rows.device)
            self._weights = place.sqrt().frac() + 0.5
        return rows.double() @ self._weights

    def loss_called(self, call: Any) -> None:
        torch = self._probe.torch
        if not call.input.requires_grad or call.target is None:
            return
        if call.name in CLASS_LOSSES and not call.target.is_floating_point():
            if call.input.dim() < 2 or call.target.dim() != call.input.dim() - 1:
                return
            labels = call.target.detach().reshape(-1)
            scores = call.input.detach().movedim(1, -1).reshape(-1, call.input.shape[1])
            predicted = scores.argmax(1)
        elif call.name in BINARY_LOSSES and call.input.shape == call.target.shape:
            if call.input.dim() > 1 and call.input.shape[-1] > 1:
                return  # several labels at once
            labels = call.target.detach().reshape(-1)
            if not bool(((labels == 0) | (labels == 1)).all()):
                return
            labels = labels.long()
            scores = call.input.detach().reshape(-1)
            edge = 0.0 if call.name.endswith("logits") else 0.5
            predicted = (scores > edge).long()
        else:
            return
        if labels.numel() == 0 or labels.shape[0] != predicted.shape[0]:
            return
        ignored = int(call.options.get("ignore_index", -100))
        with torch.no_grad():
            kept = labels != ignored
            if not bool(kept.all()):
                labels, predicted, scores = labels[kept], predicted[kept], scores[kept]
            values, counts = torch.unique(labels, return_counts=True)
            if values.numel() == 0 or values.numel() > MAX_CLASSES:
                return
            caller = self._probe.user_frame(call.frame)
            key = None if caller is None else (caller.f_code, caller.f_lasti)
            site = self._labels.get(key)
            if site is None:
                if len(self._labels) >= MAX_SITES:
                    return
                site = self._labels[key] = _Labels(self._probe.locate(call.frame))
            site.batches += 1
            site.rows += int(labels.numel())
            site.classes_in_batches += int(values.numel())
            for value, count in zip(values.tolist(), counts.tolist()):
                site.counts[value] = site.counts.get(value, 0) + count
            rows = slice(0, KEPT_ROWS // 4)
            site.scores.append(
                (
                    self._probe.backwards,
                    labels[rows].clone(),
                    predicted[rows],
                    scores[rows].clone(),
                )
            )

    def _look_for_pool(self, batch: Any, frame: Any) -> None:
        """Does a tensor of the batch's shape stay in the user's names from step to step?

        Then training goes over one batch on purpose, or over all data at once.
        """
        if self._looked == POOL_FROM:
            caller = self._probe.user_frame(frame)
            while caller is not None and len(self._pool) < 32:
                for value in named_values(caller).values():
                    if isinstance(value, self._probe.torch.Tensor) and value.shape == batch.shape:
                        self._pool.append(weakref.ref(value))
                caller = self._probe.user_frame(caller.f_back)
        elif self._looked == POOL_TO:
            self._pool_kept = any(ref() is not None for ref in self._pool)
            self._pool.clear()

    def finished(self, reason: str) -> None:
        if self._looked:
            inputs = {
                "looked": self._looked,
                "distinct": len(self._seen),
                "rows": self._rows,
                "distinct_rows": self._distinct_rows,
                "pool_kept": self._pool_kept,
            }
            self._probe.record("batches.inputs", inputs, at=self._at)
        sites = sorted(self._labels.values(), key=lambda s: (len(s.counts) > 1, s.rows))
        if sites:
            site = sites[-1]
            facts: dict[str, Any] = {
                "looked": site.batches,
                "rows": site.rows,
                "classes_in_batch": site.classes_in_batches / site.batches,
                "labels": {str(key): count for key, count in sorted(site.counts.items())},
            }
            self._probe.record("batches.labels", facts, at=site.at)
            self._predicted(site)

    def _predicted(self, site: _Labels) -> None:
        torch = self._probe.torch
        labels: list[Any] = []
        predicted: list[Any] = []
        scores: list[Any] = []
        rows = 0
        latest = site.scores[-1][0]
        for number, one, two, three in reversed(site.scores):
            if rows >= KEPT_ROWS or (scores and three.shape[1:] != scores[0].shape[1:]):
                break
            if 2 * number < latest and rows:  # the model was another one then
                break
            labels.append(one)
            predicted.append(two)
            scores.append(three)
            rows += int(one.numel())
        every = torch.cat(labels)
        answers = torch.cat(predicted)
        values, counts = torch.unique(every, return_counts=True)
        rarest = int(values[counts.argmin()])
        marks = torch.cat(scores).float()
        if marks.dim() == 2:
            if rarest >= marks.shape[1]:
                return
            marks = marks.log_softmax(1)[:, rarest]
        elif rarest == 0:
            marks = -marks
        self._probe.record(
            "batches.predicted",
            {
                "rows": rows,
                "labels": dict(zip([str(v) for v in values.tolist()], counts.tolist())),
                "predicted": {
                    str(int(v)): int((answers == v).sum())
                    for v in torch.unique(answers)[:MAX_CLASSES]
                },
                "rarest": rarest,
                "ranked": _area(torch, marks, every == rarest),
            },
            at=site.at,
        )


def _area(torch: Any, scores: Any, positive: Any) -> Optional[float]:
    """Area under the ROC curve by the rank sum (Mann-Whitney); None with one class only."""
    hits = int(positive.sum())
    misses = int(positive.numel()) - hits
    if not hits or not misses:
        return None
    order = torch.argsort(scores.double())
    ranks = torch.empty(len(order), dtype=torch.float64)
    ranks[order.cpu()] = torch.arange(1, len(order) + 1, dtype=torch.float64)
    total = float(ranks[positive.cpu()].sum())
    return (total - hits * (hits + 1) / 2) / (hits * misses)


COLLECTOR = BatchFlowCollector
