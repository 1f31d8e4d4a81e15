"""What the models predict and what the losses compare it with, at first and late in training.

Predictions and targets are met at the functional losses and, where the loss is written by hand, at
the subtraction of a model's output and a tensor without gradient.
"""

from __future__ import annotations

import sys
import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.graph import node_of
from evidence_collectors.locals_view import named_values
from evidence_collectors.operator_mode import OperatorMode
from evidence_collectors.pair_facts import PairSite
from evidence_collectors.prediction_sources import (
    MAX_NODES,
    MAX_VIEWS,
    activation_behind,
    is_one_of,
    layer_behind,
)

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_SITES = 8
MAX_FRAMES = 32
"""Frames between an activation and its module: other operator modes may stand in between."""
FIRST_WATCHED = (1, 2)
"""Backward calls after which one iteration is watched, beside each power of two."""
SUBTRACTIONS = frozenset({"sub", "__sub__", "__rsub__", "rsub", "subtract"})
PRODUCTS = frozenset({"mul", "__mul__", "__rmul__", "multiply"})
DECISIONS = frozenset(
    {"gt", "ge", "lt", "le", "__gt__", "__ge__", "__lt__", "__le__", "sigmoid", "round", "argmax"}
    | {"topk", "max", "softmax", "sort", "argsort"}
)
MAX_EVALUATIONS = 6
ACTIVATIONS = frozenset(
    {"relu", "relu_", "sigmoid", "sigmoid_", "tanh", "tanh_", "softplus", "softmax", "log_softmax"}
    | {"exp", "abs", "elu", "gelu", "silu", "logsigmoid"}
)


class LossPairCollector:
    """Follows predictions through views from the last activation or model to the loss."""

    name: ClassVar[str] = "loss_pairs"
    kinds: ClassVar[dict[str, str]] = {
        "loss.pairs": "per line that compares predictions with targets: shapes, dtypes, facts of "
        "predictions at first and of both late in training, activation that made the prediction "
        "with its line and the share of the targets' variance out of its range, loss of the best "
        "constant, rows of class targets, nearest class means of integer targets, constant that a "
        "residual is multiplied with, operations on outputs without gradient (decided)",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._sites: dict[Any, PairSite] = {}
        self._outputs: dict[int, Any] = {}
        self._activations: dict[int, Any] = {}
        self._residuals: dict[int, Any] = {}
        self._input: Any = None
        self._evaluated: list[Any] = []
        self._evaluations = 0
        self._decided: dict[str, int] = {}
        self._mode: Optional[OperatorMode] = None
        self._leftover: Optional[OperatorMode] = None
        self._written = 0

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if self._evaluated:
            self._evaluated.clear()
            self._take_out()
        self._take_out(retry=True)
        torch = self._probe.torch
        if self._probe.quiet or not torch.is_grad_enabled():
            return
        if self._mode is None and self._is_due() and next(module.parameters(), None) is not None:
            self._put_in()
        self._input = None
        for value in inputs[:1]:
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                self._input = value.detach()

    def _is_due(self) -> bool:
        """Whether the operators of this iteration are watched."""
        done = self._probe.backwards
        return done in FIRST_WATCHED or (done >= 4 and not done & (done - 1))

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        if self._probe.quiet or next(module.parameters(), None) is None:
            return
        if not self._probe.torch.is_grad_enabled():
            self._evaluate(output)
            return
        for value in output if isinstance(output, (tuple, list)) else (output,):
            node = node_of(value) if isinstance(value, self._probe.torch.Tensor) else None
            if node is not None:
                if len(self._outputs) >= MAX_NODES:
                    self._outputs.clear()
                self._outputs[id(node)] = node

    def _evaluate(self, output: Any) -> None:
        """Watch what is done with an output that has no gradient, until the next forward call."""
        if self._mode is not None or self._evaluations >= MAX_EVALUATIONS:
            return
        if not any(site.has_class_rows for site in self._sites.values()):
            return
        if isinstance(output, self._probe.torch.Tensor):
            self._evaluations += 1
            self._evaluated = [weakref.ref(output)]
            self._put_in()

    def loss_called(self, call: Any) -> None:
        tensor = self._probe.torch.Tensor
        if isinstance(call.input, tensor) and isinstance(call.target, tensor):
            self._look(call.name, call.input, call.target, call.frame)

    def _look(self, name: str, predicted: Any, target: Any, frame: Any) -> Optional[PairSite]:
        if not predicted.requires_grad or target.requires_grad:
            return None
        caller = self._probe.user_frame(frame)
        key = (name, None if caller is None else (caller.f_code, caller.f_lineno))
        site = self._sites.get(key)
        if site is None:
            if len(self._sites) >= MAX_SITES:
                return None
            site = PairSite(name, self._probe.locate(frame), self._owner_site(frame))
            self._sites[key] = site
        if not site.settled:
            site.settle(
                activation_behind(predicted, self._activations),
                layer_behind(predicted, self._probe.models),
            )
        site.look(self._probe.torch, predicted, target, self._input, self._probe.backwards)
        return site

    def _owner_site(self, frame: Any) -> Optional[dict[str, Any]]:
        """Where the loss module that makes this call was constructed, if one makes it."""
        while frame is not None and "torch" in frame.f_code.co_filename:
            owner = named_values(frame).get("self")
            if isinstance(owner, self._probe.torch.nn.Module):
                return self._probe.models.sites.get(owner)
            frame = frame.f_back
        return None

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        self._evaluated.clear()
        self._take_out()
        self._outputs.clear()
        self._activations.clear()
        self._residuals.clear()

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._probe.since_novelty == 20 and self._written < 2:
            self._write()

    def step_pre(self, optimizer: Any) -> None:
        self._take_out(retry=True)

    def finished(self, reason: str) -> None:
        self._take_out()
        self._take_out(retry=True)
        self._write()
        self._sites.clear()
        self._input = None

    def _put_in(self) -> None:
        def wrap(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
            result = func(*args, **kwargs)
            self.watch(getattr(func, "__name__", ""), args, result)
            return result

        self._mode = OperatorMode(self._probe.torch, wrap)

    def _take_out(self, *, retry: bool = False) -> None:
        """Take the mode out; again outside of torch functions if it could not be done inside."""
        if retry:
            if self._leftover is not None and self._leftover.remove():
                self._leftover = None
            return
        mode, self._mode = self._mode, None
        if mode is not None and not mode.remove():
            self._leftover = mode

    def watch(self, name: str, args: Any, result: Any) -> None:
        """Note one operator call: activation, difference from a target, weighted residual."""
        if self._evaluated:
            self._note_decision(name, args, result)
            return
        if name in ACTIVATIONS:
            self._note_activation(name, result)
        elif name in SUBTRACTIONS and len(args) > 1:
            self._note_difference(args[0], args[1], result)
        elif name in PRODUCTS and len(args) > 1:
            self._note_product(args[0], args[1])

    def _note_decision(self, name: str, args: Any, result: Any) -> None:
        if not args or not any(ref() is args[0] for ref in self._evaluated):
            return
        if name in DECISIONS:
            self._decided[name.strip("_")] = self._decided.get(name.strip("_"), 0) + 1
        elif (
            isinstance(result, self._probe.torch.Tensor)
            and len(self._evaluated) < MAX_VIEWS
            and result.dtype == args[0].dtype
            and result.numel() == args[0].numel()
        ):
            self._evaluated.append(weakref.ref(result))

    def _note_activation(self, name: str, result: Any) -> None:
        node = node_of(result) if isinstance(result, self._probe.torch.Tensor) else None
        if node is not None:
            if len(self._activations) >= MAX_NODES:
                self._activations.clear()
            self._activations[id(node)] = (node, name.rstrip("_"), self._activation_place())

    def _activation_place(self) -> Optional[dict[str, Any]]:
        """Where the activation's module was constructed, else the user's line that calls it."""
        frame: Any = sys._getframe(3)
        module = self._probe.torch.nn.Module
        for _ in range(MAX_FRAMES):
            if frame is None or self._probe.is_user_file(frame.f_code.co_filename):
                break
            owner = named_values(frame).get("self")
            if isinstance(owner, module) and next(owner.children(), None) is None:
                site = self._probe.models.sites.get(owner)
                if site is not None:
                    return site
            frame = frame.f_back
        return self._probe.locate(frame)

    def _note_difference(self, left: Any, right: Any, result: Any) -> None:
        torch = self._probe.torch
        if not (isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor)):
            return
        predicted, target = (left, right) if left.requires_grad else (right, left)
        if target.requires_grad or not target.is_floating_point() or target.dim() == 0:
            return
        if not torch.is_grad_enabled() or not is_one_of(predicted, self._outputs):
            return
        site = self._look("difference", predicted, target, sys._getframe(3))
        node = node_of(result)
        if site is not None and node is not None:
            self._residuals[id(node)] = (node, site)

    def _note_product(self, left: Any, right: Any) -> None:
        torch = self._probe.torch
        if not (isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor)):
            return
        residual, factor = (left, right) if left.requires_grad else (right, left)
        known = self._residuals.get(id(node_of(residual)))
        if known is None or known[0] is not node_of(residual) or factor.requires_grad:
            return
        known[1].weighted(torch, residual, factor, self._probe.locate(sys._getframe(3)))

    def _write(self) -> None:
        self._written += 1
        for site in self._sites.values():
            facts = site.facts(self._probe.torch)
            facts["decided"] = dict(self._decided)
            self._probe.record("loss.pairs", facts, at=site.at)


COLLECTOR = LossPairCollector
