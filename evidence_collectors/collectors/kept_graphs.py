"""What the script keeps from step to step: containers of tensors with a graph, totals of losses.

Looked for by name in the user's frames at backward calls and in the attributes of `self` there; how
much memory the process holds is read beside it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Iterator, Optional

from evidence_collectors.graph import node_of, sequence_number, walk
from evidence_collectors.locals_view import named_values

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

DEPTH = 3
MAX_NAMES = 200
MAX_ROOTS = 64
MAX_WALKED = 16
"""Backward calls in which scalar totals are walked; containers are looked at in each."""
PAGE = 4096


class _Kept:
    """One named container or total over the looks at it."""

    def __init__(self, kind: str, at: Optional[dict[str, Any]], item: str) -> None:
        self.kind = kind
        self.at = at
        self.item = item
        self.first = self.last = self.looks = self.grown = 0
        self.first_backward = self.last_backward = 0


class KeptGraphCollector:
    """Follows the lengths of containers whose newest item still has a graph."""

    name: ClassVar[str] = "kept_graphs"
    kinds: ClassVar[dict[str, str]] = {
        "graphs.kept": "a container whose newest item has a graph, or a total that holds graphs of "
        "earlier losses: name, length (or losses held) at the first and last look, looks, looks "
        "in which it had grown, backward calls at both, what an item is",
        "memory.held": "resident memory of the process in bytes at the first look and the last, "
        "backward calls at both",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._found: dict[Any, _Kept] = {}
        self._roots: deque[int] = deque(maxlen=MAX_ROOTS)
        self._walked = 0
        self._memory: list[int] = []

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        number = self._probe.backwards
        held = _resident()
        self._memory = [*self._memory[:2], number, held] if self._memory else [number, held]
        caller = self._probe.user_frame(frame)
        depth = 0
        while caller is not None and depth < DEPTH:
            self._look(caller, number)
            caller = self._probe.user_frame(caller.f_back)
            depth += 1
        self._walked += 1
        root = sequence_number(tensors[0])
        if root >= 0:
            self._roots.append(root)

    def _look(self, frame: Any, number: int) -> None:
        for name, value in self._named(frame):
            if isinstance(value, (list, deque, dict)):
                length = len(value)
                item = _newest(value)
                what = self._graph_in(item) if length > 1 else ""
                if what:
                    self._note(frame, name, "container", length, number, what)
            elif self._walked < MAX_WALKED and self._is_total(value):
                earlier = len(walk(value).sequence & set(self._roots))
                if earlier > 1:
                    self._note(frame, name, "total", earlier, number, "sum of losses")

    def _named(self, frame: Any) -> Iterator[tuple[str, Any]]:
        values = named_values(frame)
        for name, value in list(values.items())[:MAX_NAMES]:
            if not name.startswith("_"):
                yield name, value
        owner = values.get("self")
        for name, value in list(getattr(owner, "__dict__", {}).items())[:MAX_NAMES]:
            if not name.startswith("_"):
                yield f"self.{name}", value

    def _graph_in(self, item: Any) -> str:
        """What in an item has a graph: itself, or an entry of a tuple, list or dict."""
        entries = [("", item)]
        if isinstance(item, dict):
            entries = [(f"[{key!r}]", value) for key, value in item.items()]
        elif isinstance(item, (tuple, list)):
            entries = [(f"[{index}]", value) for index, value in enumerate(item[:4])]
        for label, value in entries[:8]:
            if isinstance(value, self._probe.torch.Tensor) and node_of(value) is not None:
                return f"a tensor {list(value.shape)}{' at ' + label if label else ''}"
        return ""

    def _is_total(self, value: Any) -> bool:
        return (
            isinstance(value, self._probe.torch.Tensor)
            and value.numel() == 1
            and node_of(value) is not None
        )

    def _note(self, frame: Any, name: str, kind: str, length: int, number: int, what: str) -> None:
        key = (frame.f_code, name)
        kept = self._found.get(key)
        if kept is None:
            kept = self._found[key] = _Kept(kind, self._probe.locate(frame), what)
            kept.first, kept.first_backward = length, number
        kept.looks += 1
        kept.grown += length > kept.last
        kept.last, kept.last_backward = length, number

    def finished(self, reason: str) -> None:
        for (_, name), kept in self._found.items():
            facts = {key: value for key, value in vars(kept).items() if key != "at"}
            self._probe.record("graphs.kept", {"name": name, **facts}, at=kept.at)
        if len(self._memory) == 4:
            names = ("first_backward", "first", "last_backward", "last")
            self._probe.record("memory.held", dict(zip(names, self._memory)))


def _newest(value: Any) -> Any:
    if isinstance(value, dict):
        return next(reversed(list(value.values())), None) if len(value) < MAX_NAMES else None
    return value[-1] if value else None


def _resident() -> int:
    """Bytes of this process in memory; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, ValueError, IndexError):
        return 0


COLLECTOR = KeptGraphCollector
