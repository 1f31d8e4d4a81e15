"""Arithmetic between a differentiable and a plain tensor whose shapes broadcast to a square.

A torch function mode watches the operators from the first optimizer's construction on, through the
first training iterations. Indexing is told of from here too.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.operator_mode import OperatorMode

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

WATCH_AFTER = 1
WATCH_FOR = 2
MAX_CALLS = 50_000
"""Operator calls after which the watch ends, whatever has been made of them."""
PLAIN_INDEX = (int, slice, type(None), type(Ellipsis), str)
ARITHMETIC = frozenset(
    {"sub", "__sub__", "__rsub__", "rsub", "subtract", "mul", "__mul__", "__rmul__", "multiply"}
)


class OperandCollector:
    """Records (N,1) against (N,) arithmetic with its line, names and shapes."""

    name: ClassVar[str] = "operands"
    kinds: ClassVar[dict[str, str]] = {
        "operation.broadcast": "operator, shapes of both operands and of the result, line; the "
        "differentiable operand is [N,1] or [N], the other [N] or [N,1] without gradient",
        "operation.watched": "how many operator calls the two watched iterations made",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._mode: Optional[OperatorMode] = None
        self._leftover: Optional[OperatorMode] = None
        self._calls = 0
        self._seen: set[Any] = set()

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        if self._probe.backwards == 0 and self._mode is None and self._calls == 0:
            self._push()

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        done = self._probe.backwards
        if done == WATCH_AFTER and self._mode is None:
            self._push()
        elif self._mode is not None and done >= WATCH_AFTER + WATCH_FOR:
            self._pop()

    def step_pre(self, optimizer: Any) -> None:
        self._pop(retry=True)

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        self._pop(retry=True)
        if self._calls > MAX_CALLS and self._mode is not None:
            self._pop()

    def finished(self, reason: str) -> None:
        self._pop()
        self._pop(retry=True)

    def _push(self) -> None:
        def wrap(func: Any, args: Any, kwargs: dict[str, Any]) -> Any:
            result = func(*args, **kwargs)
            self.look(func, args, result)
            self._note_index(func, args, result, sys._getframe(1).f_back)
            return result

        self._mode = OperatorMode(self._probe.torch, wrap)

    def _pop(self, *, retry: bool = False) -> None:
        """Take the mode out; again outside of torch functions if it could not be done inside."""
        if retry:
            if self._leftover is not None and self._leftover.remove():
                self._leftover = None
            return
        mode, self._mode = self._mode, None
        if mode is not None:
            if not mode.remove():
                self._leftover = mode
            self._probe.record("operation.watched", {"calls": self._calls})

    def _note_index(self, func: Any, args: Any, result: Any, frame: Any) -> None:
        """Tell of `tensor[index]` with more than one number or slice in the user's own code."""
        if getattr(func, "__name__", "") != "__getitem__" or isinstance(args[1], PLAIN_INDEX):
            return
        if frame is not None and self._probe.is_user_file(frame.f_code.co_filename):
            self._probe.emit("rows_taken", args[0], args[1], result, frame)

    def look(self, func: Any, args: Any, result: Any) -> None:
        """Note one operator call if it is the square broadcast of a column against a row."""
        self._calls += 1
        if getattr(func, "__name__", "") not in ARITHMETIC or len(args) < 2:
            return
        tensor = self._probe.torch.Tensor
        if not (isinstance(args[0], tensor) and isinstance(args[1], tensor)):
            return
        shapes = [tuple(args[0].shape), tuple(args[1].shape)]
        if shapes[0] == shapes[1] or not self._square(shapes, tuple(result.shape)):
            return
        if bool(args[0].requires_grad) == bool(args[1].requires_grad):
            return
        frame = self._probe.user_frame(sys._getframe(2))
        key = None if frame is None else (frame.f_code, frame.f_lineno)
        if key in self._seen:
            return
        self._seen.add(key)
        self._probe.record(
            "operation.broadcast",
            {
                "operator": func.__name__,
                "left": list(shapes[0]),
                "right": list(shapes[1]),
                "result": list(result.shape),
                "differentiable": "left" if args[0].requires_grad else "right",
            },
            at=self._probe.locate(frame),
        )

    @staticmethod
    def _square(shapes: list[tuple[int, ...]], result: tuple[int, ...]) -> bool:
        if len(result) != 2 or result[0] != result[1] or result[0] < 2:
            return False
        size = result[0]
        return sorted(shapes, key=len) == [(size,), (size, 1)]


COLLECTOR = OperandCollector
