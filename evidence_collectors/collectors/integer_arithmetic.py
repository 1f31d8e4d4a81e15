"""Does arithmetic on narrow integers wrap? The user's expressions are computed again in 64 bits.

Before training, the functions of the user's own files are watched as they return (their names
still hold what they worked on); the lines that make tensors are looked at as well.
"""

from __future__ import annotations

import ast
import os
import sys
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.integer_expressions import Expression, Unknown, expressions_in, value_of
from evidence_collectors.locals_view import named_values, values_at_return

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_CALLS = 200_000
"""Function calls, of any code, after which nothing is watched any more (about 0.1 s)."""
LOOKS_A_CODE = 3
IDLE_LOOKS = 20
"""Calls of a function without narrow integers after which it is left alone."""
MAX_ELEMENTS = 2_000_000
MAX_RECORDS = 12
NARROW = frozenset({"uint8", "int8", "int16", "uint16", "int32"})
PRODUCTS = frozenset({"Mult", "Pow", "MatMult", "multiply", "square", "dot", "power"})
"""Only these leave 32 bits with ordinary numbers."""
_GENERATORS = 0x20 | 0x80 | 0x100 | 0x200


class IntegerArithmeticCollector:
    """Records expressions whose integer result differs from the exact one."""

    name: ClassVar[str] = "integer_arithmetic"
    kinds: ClassVar[dict[str, str]] = {
        "integer.wrapped": "expression, operator, dtype, values, share of them that wrapped, one "
        "result beside the exact number, whether one operand is a constant and all that wrapped "
        "have one exact value, place of the first operand, numpy or torch; its line",
        "integer.watched": "expressions on narrow integers computed again, and how many wrapped",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._pid = os.getpid()
        self._files: dict[str, Any] = {}
        self._codes: dict[CodeType, list[Expression]] = {}
        self._looks: dict[CodeType, int] = {}
        self._idle: dict[CodeType, int] = {}
        self._calls = 0
        self._tracing = False
        self._ended = False
        self._watched = 0
        self._wrapped: dict[tuple[str, int, int], int] = {}

    def numpy_ready(self, numpy: Any) -> None:
        self._start()

    def torch_ready(self, torch: Any) -> None:
        self._start()

    def _start(self) -> None:
        if not self._ended and not self._tracing and sys.gettrace() is None:
            self._tracing = True
            sys.settrace(self._called)

    def _stop(self) -> None:
        if self._tracing and sys.gettrace() == self._called:
            sys.settrace(None)
        self._tracing = False
        self._ended = True

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._calls += 1
        if self._calls > MAX_CALLS or self._ended:
            sys.settrace(None)
            return None
        code = frame.f_code
        if code.co_flags & _GENERATORS or not self._probe.is_user_file(code.co_filename):
            return None
        if os.getpid() != self._pid:
            sys.settrace(None)
            return None
        if self._looks.get(code, 0) >= LOOKS_A_CODE or not self._expressions(code):
            return None
        frame.f_trace_lines = False
        return self._returned

    def _returned(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return" and not self._ended:
            try:
                self._look(frame, values_at_return(frame), sys.maxsize)
            except Exception as error:
                self._failed(error)
        return self._returned

    def _failed(self, error: Exception) -> None:
        self._probe.record(
            "collector.failed",
            {
                "collector": self.name,
                "event": "return",
                "error": f"{type(error).__name__}: {error}",
            },
        )
        self._stop()

    def tensor_created(self, name: str, args: Any, output: Any, frame: Any) -> None:
        code = frame.f_code
        if self._ended or self._looks.get(code, 0) >= LOOKS_A_CODE or not self._expressions(code):
            return
        self._look(frame, named_values(frame), frame.f_lineno)

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._tracing:
            self._stop()

    def finished(self, reason: str) -> None:
        self._stop()
        self._probe.record(
            "integer.watched",
            {"expressions": self._watched, "wrapped": sum(map(bool, self._wrapped.values()))},
        )

    def _expressions(self, code: CodeType) -> list[Expression]:
        found = self._codes.get(code)
        if found is None:
            tree, text = self._tree(code.co_filename)
            found = [] if tree is None else expressions_in(tree, code, text)
            self._codes[code] = found
        return found

    def _tree(self, path: str) -> tuple[Optional[ast.AST], str]:
        if path not in self._files:
            try:
                with open(path, encoding="utf-8") as source:
                    text = source.read()
                self._files[path] = ast.parse(text), text
            except (OSError, SyntaxError, ValueError):
                self._files[path] = None, ""
        return self._files[path]  # type: ignore[no-any-return]

    def _look(self, frame: FrameType, names: dict[str, Any], line: int) -> None:
        """Compute the expressions above a line again, natively and in 64 bits."""
        code = frame.f_code
        counted = False
        for expression in self._codes.get(code, ()):
            key = (code.co_filename, *expression.start)
            if expression.line > line or self._wrapped.get(key):
                continue
            if any(rebound < line for rebound in expression.rebound):
                continue
            try:
                values = [value_of(part, names, frame.f_globals) for part in expression.operands]
            except (Unknown, KeyError, IndexError, TypeError, ValueError, RuntimeError):
                continue
            if not any(_is_narrow(value) for value in values):
                continue
            counted = True
            self._compare(code, expression, key, values)
        tally = self._looks if counted else self._idle
        tally[code] = tally.get(code, 0) + 1
        if self._idle.get(code, 0) >= IDLE_LOOKS:
            self._looks[code] = LOOKS_A_CODE

    def _compare(
        self, code: CodeType, expression: Expression, key: tuple[str, int, int], values: list[Any]
    ) -> None:
        try:
            native, exact = self._both(expression, values)
        except Exception:
            return
        dtype = str(native.dtype).replace("torch.", "")
        if dtype not in NARROW or (dtype == "int32" and expression.name not in PRODUCTS):
            return
        self._watched += 1
        wrong = _flat(native) != _flat(exact)
        count = int(wrong.sum())
        self._wrapped[key] = max(self._wrapped.get(key, 0), count)
        if not count or sum(map(bool, self._wrapped.values())) > MAX_RECORDS:
            return
        values_lost = _flat(exact)[wrong]
        place = int(wrong.argmax()) if _is_numpy(native) else int(wrong.int().argmax())
        self._probe.record(
            "integer.wrapped",
            {
                "expression": expression.text,
                "operator": expression.name,
                "dtype": dtype,
                "values": int(wrong.shape[0]),
                "share": count / int(wrong.shape[0]),
                "one_value": bool((values_lost == values_lost[0]).all()),
                "constant": any(isinstance(part, ast.Constant) for part in expression.operands),
                "result": int(_flat(native)[place]),
                "exact": int(_flat(exact)[place]),
                "library": "numpy" if _is_numpy(native) else "torch",
                "operand": [*expression.start, *expression.end],
            },
            at={
                "file": os.path.abspath(code.co_filename),
                "line": expression.line,
                "function": code.co_name,
            },
        )

    def _both(self, expression: Expression, values: list[Any]) -> tuple[Any, Any]:
        numpy = sys.modules.get("numpy")
        torch = self._probe.torch
        wide = [_widened(value) for value in values]
        if numpy is None or not any(_is_numpy(value) for value in values):
            with torch.no_grad():
                return expression.apply(*values), expression.apply(*wide)
        with numpy.errstate(all="ignore"):
            return expression.apply(*values), expression.apply(*wide)


def _is_numpy(value: Any) -> bool:
    return str(type(value).__module__).partition(".")[0] == "numpy"


def _is_narrow(value: Any) -> bool:
    """Whether a value is an array or tensor of a narrow integer dtype and of a fit size."""
    if str(type(value).__module__).partition(".")[0] not in ("numpy", "torch"):
        return False
    if str(getattr(value, "dtype", "")).replace("torch.", "") not in NARROW:
        return False
    size = value.size if _is_numpy(value) else value.numel()
    return 0 < int(size) <= MAX_ELEMENTS and bool(getattr(value, "shape", ()))


def _widened(value: Any) -> Any:
    if str(getattr(value, "dtype", "")).replace("torch.", "") in NARROW | {"uint32"}:
        return value.astype("int64") if _is_numpy(value) else value.long()
    return value


def _flat(value: Any) -> Any:
    return (value.astype("int64") if _is_numpy(value) else value.long()).reshape(-1)


COLLECTOR = IntegerArithmeticCollector
