"""Facts about predictions and targets that meet at one line, over the calls looked at."""

from __future__ import annotations

import math
from collections import deque
from typing import Any, Optional

from evidence_collectors.columns import as_rows, marks
from evidence_collectors.nearest import agreement

ROWS = 128
"""Rows of a batch that are copied."""
MAX_WIDTH = 512
LATE = 0.7
"""Share of the backward calls so far that must lie before a call to count as late."""
KEPT_CALLS = 8
"""Calls kept at first, and as many of the latest."""
REGRESSION = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "difference"})
RANGES = {
    "ReluBackward0": (0.0, math.inf),
    "SigmoidBackward0": (0.0, 1.0),
    "TanhBackward0": (-1.0, 1.0),
    "SoftplusBackward0": (0.0, math.inf),
    "SoftmaxBackward0": (0.0, 1.0),
    "LogSoftmaxBackward0": (-math.inf, 0.0),
    "LogSigmoidBackward0": (-math.inf, 0.0),
    "ExpBackward0": (0.0, math.inf),
    "AbsBackward0": (0.0, math.inf),
    "EluBackward0": (-1.0, math.inf),
    "GeluBackward0": (-0.17, math.inf),
    "SiluBackward0": (-0.28, math.inf),
}
"""What each activation can give (PyTorch documentation; the minima of GELU and SiLU rounded down).
"""


def spread(values: Any) -> dict[str, Any]:
    """Range, mean, spread and share of exact zeros of a float64 tensor."""
    return {
        "count": int(values.numel()),
        "min": float(values.min()),
        "max": float(values.max()),
        "mean": float(values.mean()),
        "std": float(values.std(unbiased=False)),
        "zeros": float((values == 0).double().mean()),
    }


def best_constant(torch: Any, loss: str, targets: Any) -> Optional[float]:
    """The mean loss of the best constant prediction for the targets seen, where it is known."""
    if loss in ("cross_entropy", "nll_loss") and not targets.is_floating_point():
        ids = targets.reshape(-1)
        counts = torch.bincount(ids[ids >= 0], minlength=2).double()
        shares = counts[counts > 0] / counts.sum()
        return float(-(shares * shares.log()).sum())
    values = targets.double().reshape(targets.shape[0], -1)
    if loss in ("binary_cross_entropy", "binary_cross_entropy_with_logits"):
        shares = values.mean(0).clamp(1e-12, 1 - 1e-12)
        return float(-(shares * shares.log() + (1 - shares) * (1 - shares).log()).mean())
    if loss in ("mse_loss", "difference"):
        return float(((values - values.mean(0)) ** 2).mean())
    if loss == "l1_loss":
        return float((values - values.median(0).values).abs().mean())
    return None


def loss_of(torch: Any, loss: str, predicted: Any, targets: Any) -> Optional[float]:
    """The mean of a loss whose best constant is known, without weights or factors of the user's."""
    functional = torch.nn.functional
    if loss in ("cross_entropy", "nll_loss") and not targets.is_floating_point():
        kept = targets.reshape(-1) >= 0
        rows = predicted.movedim(1, -1).reshape(kept.numel(), -1) if predicted.dim() > 1 else None
        if rows is None or not bool(kept.any()) or int(targets.max()) >= rows.shape[1]:
            return None
        own = (rows.log_softmax(1) if loss == "cross_entropy" else rows)[kept]
        return float(-own.gather(1, targets.reshape(-1)[kept][:, None]).mean())
    values = targets.double()
    if values.shape != predicted.shape:
        return None
    if loss == "binary_cross_entropy_with_logits":
        softplus = functional.softplus(predicted)
        return float((softplus - predicted * values).mean())
    if loss == "binary_cross_entropy":
        chances = predicted.clamp(1e-12, 1 - 1e-12)
        return float(-(values * chances.log() + (1 - values) * (1 - chances).log()).mean())
    if loss in ("mse_loss", "difference"):
        return float(((predicted - values) ** 2).mean())
    return float((predicted - values).abs().mean()) if loss == "l1_loss" else None


class PairSite:
    """One line that compares predictions with targets."""

    def __init__(
        self, loss: str, at: Optional[dict[str, Any]], owner: Optional[dict[str, Any]]
    ) -> None:
        self.loss = loss
        self.at = at
        self.activation: Optional[dict[str, Any]] = None
        self.settled = False
        self._layer: Optional[dict[str, Any]] = None
        self._owner = owner
        self._calls = 0
        self._backward = 0
        self._shapes: tuple[list[int], list[int]] = ([], [])
        self._target_dtype = ""
        self._first: list[Any] = []
        self._late: deque[Any] = deque(maxlen=KEPT_CALLS)
        self._product: Optional[dict[str, Any]] = None

    @property
    def has_class_rows(self) -> bool:
        """Whether the targets are rows of one number for each class."""
        return self.loss == "cross_entropy" and self._target_dtype.startswith("float")

    def settle(self, activation: Optional[dict[str, Any]], layer: Optional[dict[str, Any]]) -> None:
        """Take what made the prediction; final when the line of the activation is known."""
        if activation is not None:
            self.activation = activation
            self.settled = activation["at"] is not None or self._calls > 2 * KEPT_CALLS
        self._layer = layer or self._layer

    def look(self, torch: Any, predicted: Any, target: Any, inputs: Any, backward: int) -> None:
        """Copy the first rows of one call."""
        self._calls += 1
        self._backward = backward
        self._shapes = list(predicted.shape), list(target.shape)
        self._target_dtype = str(target.dtype).replace("torch.", "")
        with torch.no_grad():
            kept = (
                _rows(torch, predicted),
                _rows(torch, target),
                _rows(torch, inputs) if _same_length(inputs, target) else None,
                backward,
            )
        if kept[0] is None or kept[1] is None:
            return
        if len(self._first) < KEPT_CALLS:
            self._first.append(kept)
        self._late.append(kept)

    def weighted(self, torch: Any, residual: Any, factor: Any, at: Any) -> None:
        """Note that a residual column was multiplied with a constant row of several values."""
        if self._product is not None or residual.dim() < 1 or residual.shape[-1] != 1:
            return
        if factor.dim() < 1 or factor.numel() < 2 or factor.shape[-1] != factor.numel():
            return
        values = factor.detach().double().reshape(-1)
        self._product = {
            "size": int(values.numel()),
            "min": float(values.min()),
            "max": float(values.max()),
            "distinct": int(torch.unique(values).numel()),
            "at": at,
        }

    def facts(self, torch: Any) -> dict[str, Any]:
        """Everything that is known, for the record."""
        data: dict[str, Any] = {
            "loss": self.loss,
            "calls": self._calls,
            "backward": self._backward,
            "predicted_shape": self._shapes[0],
            "target_shape": self._shapes[1],
            "target_dtype": self._target_dtype,
            "activation": self.activation,
            "criterion_at": self._owner,
            "layer": self._layer,
            "product": self._product,
        }
        late = [kept for kept in self._late if _fits(kept, self._late[-1])]
        if not late:
            return data
        with torch.no_grad():
            predicted = torch.cat([kept[0] for kept in late]).double()
            targets = torch.cat([kept[1] for kept in late])
            if not bool(torch.isfinite(predicted).all()):
                return data
            data["first"] = spread(self._first[0][0].double())
            data["late"] = spread(predicted)
            data["target"] = spread(targets.double())
            data["target"]["distinct"] = int(torch.unique(targets).numel())
            data["target"]["whole"] = bool((targets == targets.round()).all())
            early = [kept[1] for kept in self._first if kept[1].shape[1:] == targets.shape[1:]]
            known = torch.cat([*early, targets])
            if targets.is_floating_point():
                data["target_marks"] = _marks(torch, known)
            data["constant_loss"] = best_constant(torch, self.loss, known)
            data["late_loss"] = loss_of(torch, self.loss, predicted, targets)
            data.update(self._compare(torch, predicted, targets, late))
        return data

    def _compare(self, torch: Any, predicted: Any, targets: Any, late: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        values = targets.double()
        if self.loss in ("cross_entropy", "nll_loss"):
            if targets.is_floating_point() and targets.shape == predicted.shape:
                sums = values.sum(1)
                found["class_rows"] = {
                    "binary": bool(((values == 0) | (values == 1)).all()),
                    "many": float((sums > 1.5).double().mean()),
                    "mean_sum": float(sums.mean()),
                    "above_zero": float((predicted > 0).double().sum(1).mean()),
                }
            if predicted.dim() > 1:
                found["all_zero_rows"] = float((predicted == 0).all(1).double().mean())
            return found
        if self.loss not in REGRESSION:
            return found
        limits = RANGES.get((self.activation or {}).get("node", ""))
        variance = float(values.var(unbiased=False))
        if limits is not None and variance > 0:
            beyond = (values - values.clamp(*limits)).abs()
            found["reach"] = {
                "low": limits[0] if math.isfinite(limits[0]) else None,
                "high": limits[1] if math.isfinite(limits[1]) else None,
                "outside": float((beyond > 0).double().mean()),
                "unreachable": float((beyond**2).mean()) / variance,
            }
        if predicted.numel() == values.numel() and variance > 0:
            error = predicted.reshape(-1) - values.reshape(-1)
            found["error"] = float((error**2).mean()) / variance
            inputs = [kept[2] for kept in late]
            if found_ids(values, predicted) and all(part is not None for part in inputs):
                found["neighbours"] = agreement(
                    torch, torch.cat(inputs).double(), values.reshape(-1), predicted.reshape(-1)
                )
        elif values.dim() == 2 and predicted.dim() == 2 and predicted.shape[1] == 1:
            centred = values - values.mean(0)
            within = ((centred - centred.mean(1, keepdim=True)) ** 2).mean()
            found["within"] = float(within / (centred**2).mean().clamp(min=1e-300))
            found["columns"] = int(values.shape[1])
        return found


def found_ids(values: Any, predicted: Any) -> bool:
    """Whether targets look like ids: whole numbers 0 .. K-1 or 1 .. K, three or more, one a row."""
    if predicted.reshape(predicted.shape[0], -1).shape[1] != 1:
        return False
    distinct = sorted(set(values.reshape(-1).tolist()))
    return (
        3 <= len(distinct) <= 100
        and distinct[0] in (0.0, 1.0)
        and distinct == [distinct[0] + step for step in range(len(distinct))]
    )


def _marks(torch: Any, targets: Any) -> Optional[dict[str, Any]]:
    """The marks in the first column of the targets that has any."""
    rows = as_rows(targets)
    if rows is None:
        return None
    for index in range(int(rows.shape[1])):
        found = marks(torch, rows[:, index])
        if found is not None:
            return {"column": index, "marks": found}
    return None


def _rows(torch: Any, values: Any) -> Any:
    """A copy of the first rows on the CPU; floating values as float64."""
    if values is None or values.dim() == 0 or values.numel() == 0 or values.is_complex():
        return None
    part = values.detach()[:ROWS]
    if part[0].numel() > MAX_WIDTH:
        return None
    wanted = torch.float64 if part.is_floating_point() else torch.int64
    return part.to("cpu", wanted, copy=True)


def _same_length(inputs: Any, target: Any) -> bool:
    return (
        inputs is not None
        and inputs.dim() > 1
        and target.dim() > 0
        and inputs.shape[0] == target.shape[0]
    )


def _fits(kept: Any, last: Any) -> bool:
    """Whether one call's copies can be joined with the last one's: as late, and of one form."""
    return kept[3] >= LATE * last[3] and all(
        (a is None) == (b is None) and (a is None or a.shape[1:] == b.shape[1:])
        for a, b in zip(kept[:3], last[:3])
    )
