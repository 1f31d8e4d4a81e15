"""What goes into the functional losses: logits or probabilities, shapes, dtypes, ranges."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.describe import value_facts
from evidence_collectors.graph import chain, node_of, source_node
from evidence_collectors.locals_view import named_values
from evidence_collectors.schedule import first_then_powers

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_CALLS = 4
CALLERS = 3
MAX_ROWS = 4096
ROW_SUM_TOLERANCE = 1e-3


class LossInputCollector:
    """Describes input and target of each loss call site, closely at first and then sparsely."""

    name: ClassVar[str] = "loss_inputs"
    kinds: ClassVar[dict[str, str]] = {
        "loss.inputs": "loss, facts of input and target, share of rows that sum to one, greatest "
        "|log-sum-exp| of the rows, operation that made the input, whether shapes broadcast",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._calls: dict[Any, int] = {}
        self._due = first_then_powers(CLOSE_CALLS)
        self._activations: dict[int, Any] = {}

    def activation_called(self, name: str, output: Any, frame: Any) -> None:
        node = node_of(output) if self._probe.since_novelty < CLOSE_CALLS else None
        if node is not None:
            if len(self._activations) > 32:
                self._activations.clear()
            self._activations[id(node)] = (
                name,
                node,
                self._place(frame),
                self._probe.user_stack(frame, CALLERS),
            )

    def _place(self, frame: Any) -> Any:
        """Where the module that makes this call was constructed, else the calling user line."""
        if self._probe.torch.nn.__name__.replace(".", os.sep) in frame.f_code.co_filename:
            owner = named_values(frame).get("self")
            site = None
            if isinstance(owner, self._probe.torch.nn.Module):
                site = self._probe.models.sites.get(owner)
            if site is not None:
                return site
        return self._probe.locate(frame)

    def loss_called(self, call: Any) -> None:
        torch = self._probe.torch
        if not (isinstance(call.input, torch.Tensor) and isinstance(call.target, torch.Tensor)):
            return
        caller = self._probe.user_frame(call.frame)
        key = (
            call.name,
            None if caller is None else (caller.f_code, caller.f_lineno),
            call.input.requires_grad,
        )
        count = self._calls.get(key, 0)
        self._calls[key] = count + 1
        if not self._due(count):
            return
        data: dict[str, Any] = {
            "loss": call.name,
            "call": count,
            "input": value_facts(torch, call.input),
            "target": value_facts(torch, call.target),
            "source": source_node(call.input),
            "chain": chain(call.input),
            "broadcast": self._broadcast(call),
            "activation": self._made_by(call.input),
            "criterion_at": self._place(call.frame),
        }
        data.update(self._rows(torch, call))
        self._probe.record("loss.inputs", data, at=self._probe.locate(call.frame))

    @staticmethod
    def _broadcast(call: Any) -> bool:
        if call.name in ("cross_entropy", "nll_loss"):
            return False
        return tuple(call.input.shape) != tuple(call.target.shape)

    def _made_by(self, tensor: Any) -> Any:
        """Line of the softmax or sigmoid behind a tensor, through views and copies."""
        node = node_of(tensor)
        for _ in range(12):
            if node is None:
                return None
            known = self._activations.get(id(node))
            if known is not None and known[1] is node:
                return {"name": known[0], "at": known[2], "callers": known[3]}
            following = [child for child, _ in node.next_functions if child is not None]
            node = following[0] if following else None
        return None

    @staticmethod
    def _rows(torch: Any, call: Any) -> dict[str, Any]:
        """Are class rows probabilities (sum 1), log-probabilities (log-sum-exp 0), or logits?"""
        if call.name not in ("cross_entropy", "nll_loss") or call.input.dim() < 1:
            return {}
        axis = 0 if call.input.dim() == 1 else 1
        with torch.no_grad():
            values = call.input.detach().double().movedim(axis, -1)
            values = values.reshape(-1, values.shape[-1])[:MAX_ROWS]
            if values.numel() == 0 or not bool(torch.isfinite(values).all()):
                return {"classes": int(call.input.shape[axis]), "rows": 0}
            sums = values.sum(-1)
            unit = (sums - 1).abs() < ROW_SUM_TOLERANCE
            inside = (values >= 0).all(-1) & (values <= 1 + ROW_SUM_TOLERANCE).all(-1)
            spread = torch.logsumexp(values, -1).abs()
            return {
                "classes": int(call.input.shape[axis]),
                "rows": int(values.shape[0]),
                "probability_rows": float((unit & inside).double().mean()),
                "log_sum_exp": float(spread.max()),
            }

    def finished(self, reason: str) -> None:
        self._activations.clear()


COLLECTOR = LossInputCollector
