"""Where what a loss is given was made: integer targets, and masks of zeros and ones."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.operator_mode import OperatorMode

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

WATCH_AFTER, WATCH_FOR = 1, 1
COMPARISONS = frozenset(
    {"lt", "le", "gt", "ge", "eq", "ne", "__lt__", "__le__", "__gt__", "__ge__", "__eq__"}
    | {"__ne__", "less", "greater", "logical_not", "bitwise_not", "__invert__", "rsub", "__rsub__"}
)
CONVERSIONS = frozenset({"float", "double", "to", "type", "type_as", "unsqueeze", "long", "int"})
USES = frozenset(
    {"mul", "__mul__", "__rmul__", "multiply", "masked_select", "__getitem__", "masked_fill"}
    | {"where"}
)
MAX_MADE = 200
MAX_INTEGERS = 2000
MAX_TOLD = 4


class LossSourceCollector:
    """Watches one whole iteration for the lines that make targets and masks."""

    name: ClassVar[str] = "loss_sources"
    kinds: ClassVar[dict[str, str]] = {
        "loss.masked": "the last mask of zeros and ones (two axes or more) that met a tensor with "
        "a graph outside a model's call: operator, shape, share of ones, lines of making and use",
        "targets.source": "for a loss with integer targets: the user's line that made them, "
        "followed through stacking and collation to the samples",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._mode: Optional[OperatorMode] = None
        self._leftover: Optional[OperatorMode] = None
        self._made: dict[int, tuple[Any, Any]] = {}
        self._integers: dict[int, tuple[Any, Any]] = {}
        self._told = 0
        self._found: Optional[dict[str, Any]] = None
        self._inside = False

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        done = self._probe.backwards
        if done == WATCH_AFTER and self._mode is None:
            self._mode = OperatorMode(self._probe.torch, self._watch)
        elif self._mode is not None and done >= WATCH_AFTER + WATCH_FOR:
            self._take_out()

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        self._retry()
        self._inside = next(module.parameters(), None) is not None

    def forward_exit(self, module: Any, inputs: Any, output: Any, frame: Any) -> None:
        self._inside = False

    def loss_called(self, call: Any) -> None:
        torch = self._probe.torch
        target = call.target
        if self._mode is None or not isinstance(target, torch.Tensor) or self._told >= MAX_TOLD:
            return
        if target.is_floating_point() or not call.input.requires_grad:
            return
        base = target if id(target) in self._integers else target._base
        known = self._integers.get(id(base))
        if known is None or known[0] is not base or known[1] is None:
            return
        self._told += 1
        self._probe.record(
            "targets.source", {"made_at": known[1]}, at=self._probe.locate(call.frame)
        )

    def step_pre(self, optimizer: Any) -> None:
        self._retry()

    def finished(self, reason: str) -> None:
        self._take_out()
        self._retry()

    def _take_out(self) -> None:
        mode, self._mode = self._mode, None
        if mode is None:
            return
        if not mode.remove():
            self._leftover = mode
        self._made.clear()
        self._integers.clear()
        if self._found is not None:
            found, self._found = self._found, None
            self._probe.record("loss.masked", found, at=found["used_at"])

    def _retry(self) -> None:
        if self._leftover is not None and self._leftover.remove():
            self._leftover = None

    def _watch(self, func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        result = func(*args, **kwargs)
        if not self._inside:
            try:
                self._look(getattr(func, "__name__", ""), args, result)
            except Exception as error:  # a tensor subclass may refuse any question
                self._probe.record(
                    "collector.failed",
                    {"collector": self.name, "event": "operator", "error": f"{error!r}"[:300]},
                )
        return result

    def _look(self, name: str, args: Any, result: Any) -> None:
        torch = self._probe.torch
        if isinstance(result, torch.Tensor) and not result.is_floating_point():
            self._note_integer(args, result)
        if name in COMPARISONS and isinstance(result, torch.Tensor) and result.dim() > 1:
            if len(self._made) < MAX_MADE:
                self._made[id(result)] = (result, self._place())
        elif name in CONVERSIONS and args and id(args[0]) in self._made:
            self._made[id(result)] = (result, self._made[id(args[0])][1])
        elif name in USES:
            flat = [*args, *(args[1] if len(args) > 1 and isinstance(args[1], tuple) else ())]
            tensors = [value for value in flat if isinstance(value, torch.Tensor)]
            if not any(tensor.requires_grad for tensor in tensors):
                return
            for mask in tensors:
                if mask.dim() > 1 and not mask.requires_grad and is_mask(torch, mask):
                    made = self._made.get(id(mask))
                    self._found = {
                        "operator": name,
                        "shape": list(mask.shape),
                        "ones": float(mask.double().mean()),
                        "made_at": None if made is None else made[1],
                        "used_at": self._place(),
                    }

    def _note_integer(self, args: Any, result: Any) -> None:
        """Remember the line that made a tensor; library code (collation) hands on its inputs'."""
        if len(self._integers) >= MAX_INTEGERS:
            return
        caller: Any = sys._getframe(4)
        while caller.f_back is not None and "evidence_collectors" in caller.f_code.co_filename:
            caller = caller.f_back  # a patched method stands between the user and the operator
        place = None
        if self._probe.is_user_file(caller.f_code.co_filename):
            place = self._probe.locate(caller)
        else:
            first = args[0] if args else None
            first = first[0] if isinstance(first, (list, tuple)) and first else first
            known = self._integers.get(id(first))
            place = known[1] if known is not None and known[0] is first else None
        self._integers[id(result)] = (result, place)

    def _place(self) -> Any:
        return self._probe.locate(sys._getframe(3))


def is_mask(torch: Any, values: Any) -> bool:
    """Whether a tensor holds both zeros and ones and nothing else."""
    if values.numel() > 2_000_000 or values.is_complex():
        return False
    if values.dtype == torch.bool:
        return bool(values.any()) and not bool(values.all())
    ones = values == 1
    return bool((ones | (values == 0)).all()) and bool(ones.any()) and not bool(ones.all())


COLLECTOR = LossSourceCollector
