"""Who wrote a parameter's values before the first update, and what was written over.

Writes are told apart by storage (`weight.data.copy_` writes the same one), the writer's function,
and the user's lines on the stack.
"""

from __future__ import annotations

import os
import sys
import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

DEPTH = 8
MAX_WRITES = 20_000
MAX_LOST = 12
RANDOM = frozenset(
    {"uniform_", "normal_", "trunc_normal_", "sparse_"}
    | {"xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"}
)
_RESETS = ("reset_parameters", "_reset_parameters")


class _Write:
    """One write: the function, the user's (function, line) pairs, innermost first."""

    __slots__ = ("default", "function", "stack")

    def __init__(self, function: str, stack: tuple[tuple[Any, int], ...], default: bool) -> None:
        self.function = function
        self.stack = stack
        self.default = default


class ParameterHistoryCollector:
    """Records writes whose values were all written over before the first update."""

    name: ClassVar[str] = "parameter_history"
    kinds: ClassVar[dict[str, str]] = {
        "parameters.overwritten": "a line that wrote values into parameters, all of which another "
        "line wrote over before the first update: both functions and lines, number and "
        "names of the parameters; or values written to what a weight norm computes anew",
        "parameters.written": "parameters with a known writer before the first update, of how "
        "many; names of frozen ones that hold random values which nobody has trained or loaded",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._writes: dict[int, list[_Write]] = {}
        self._count = 0
        self._normed: list[weakref.ref[Any]] = []
        self._recomputed: list[tuple[str, str, Optional[dict[str, Any]]]] = []
        probe.at_first_update.append(self._report)

    def parameter_registered(self, module: Any, name: str, parameter: Any, frame: Any) -> None:
        if self._probe.step:
            return
        self._writes.pop(self._key(parameter), None)
        if name in ("weight_g", "original0"):
            self._normed.append(weakref.ref(module))

    @staticmethod
    def _key(tensor: Any) -> int:
        try:
            return int(tensor.data_ptr())
        except RuntimeError:  # a tensor without storage
            return 0

    def values_written(self, function: str, tensor: Any, frame: Any) -> None:
        if self._count >= MAX_WRITES:
            return
        self._count += 1
        key = self._key(tensor)
        default = frame.f_code.co_name in _RESETS and key not in self._writes
        write = _Write(function, self._stack(frame), default)
        self._writes.setdefault(key, []).append(write)
        for ref in self._normed:
            module = ref()
            weight = getattr(module, "__dict__", {}).get("weight")
            if weight is not None and self._key(weight) == key:
                at = self._probe.locate(frame)
                self._recomputed.append((function, type(module).__name__, at))

    def state_loaded(self, module: Any) -> None:
        if self._probe.step:
            return
        stack = self._stack(sys._getframe(1))
        for parameter in module.parameters():
            self._writes.setdefault(self._key(parameter), []).append(
                _Write("load_state_dict", stack, False)
            )

    def _stack(self, frame: Any) -> tuple[tuple[Any, int], ...]:
        found = self._probe.user_frame(frame)
        stack: list[tuple[Any, int]] = []
        while found is not None and len(stack) < DEPTH:
            stack.append((found.f_code, found.f_lineno))
            found = self._probe.user_frame(found.f_back)
        return tuple(stack)

    def _report(self) -> None:
        names: dict[int, str] = {}
        for root in self._probe.models.roots():
            for name, parameter in root.named_parameters():
                names.setdefault(self._key(parameter), name)
        known = [key for key in names if key in self._writes]
        self._probe.record(
            "parameters.written",
            {"known": len(known), "of": len(names), "random_frozen": self._random_frozen(names)},
        )
        groups: dict[Any, dict[int, int]] = {}
        for key in known:
            for index, write in enumerate(self._writes[key]):
                if write.stack and not write.default:
                    line = (write.function, write.stack)
                    groups.setdefault(line, {})[key] = index
        for (function, stack), members in list(groups.items()):
            later = self._later(members, stack)
            if later is not None:
                self._write(function, stack, later, [names[key] for key in members])
        for function, label, at in self._recomputed[:MAX_LOST]:
            facts = {"function": function, "recomputed_by": label, "count": 1, "names": []}
            self._probe.record("parameters.overwritten", facts, at=at)
        self._writes.clear()
        self._normed.clear()

    def _random_frozen(self, names: dict[int, str]) -> list[str]:
        """Frozen parameters of partly trainable models whose only writers drew random values."""
        found = []
        for root in self._probe.models.roots():
            parameters = list(root.parameters())
            if not any(parameter.requires_grad for parameter in parameters):
                continue
            for parameter in parameters:
                writes = self._writes.get(self._key(parameter), [])
                drawn = [write.function in RANDOM for write in writes]
                if not parameter.requires_grad and parameter.dim() > 1 and drawn and all(drawn):
                    found.append(names[self._key(parameter)])
        return found[:MAX_LOST]

    def _later(self, members: dict[int, int], stack: Any) -> Optional[_Write]:
        """The write from another line that came last over every one of these parameters."""
        found: Optional[_Write] = None
        for key, index in members.items():
            after = [w for w in self._writes[key][index + 1 :] if w.stack != stack]
            if not after:
                return None
            found = after[-1]
        return found

    def _write(
        self,
        function: str,
        stack: Any,
        later: _Write,
        names: list[str],
    ) -> None:
        early_lines = dict(reversed(stack))
        common = next(((code, line) for code, line in later.stack if code in early_lines), None)
        self._probe.record(
            "parameters.overwritten",
            {
                "function": function,
                "by": later.function,
                "count": len(names),
                "names": names[:6],
                "line": self._place(stack[0]),
                "by_line": self._place(later.stack[0]) if later.stack else None,
                "common": self._place(common) if common else None,
            },
            at=self._place(stack[0]),
        )

    @staticmethod
    def _place(entry: tuple[Any, int]) -> dict[str, Any]:
        code, line = entry
        name = os.path.abspath(code.co_filename)
        return {"file": name, "line": line, "function": code.co_name}


COLLECTOR = ParameterHistoryCollector
