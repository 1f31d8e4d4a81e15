"""Where a differentiable value left the autograd graph, and whether that mattered.

An exit (`detach`, `numpy`, `item` …) is remembered with the parameters behind it. At the next
backward it matters only if the loss does not reach those parameters by any other way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.graph import walk

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_EXITS = 24
CLOSE_BACKWARDS = 3


class GraphCutCollector:
    """Records exits from the graph whose parameters the following backward did not reach."""

    name: ClassVar[str] = "graph_cuts"
    kinds: ClassVar[dict[str, str]] = {
        "graph.cut": "function, shape, number of parameters behind the exit that the next backward "
        "did not reach, of how many; line",
        "graph.exits": "how many exits were looked at",
        "loss.graphless": "a backward on a loss without graph: exits since the last backward, and "
        "whether the last forward ran with gradients on and trainable parameters",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._exits: list[tuple[str, Any, Optional[dict[str, Any]], set[int]]] = []
        self._looked = 0
        self._written: set[Any] = set()
        self._reached: set[int] = set()
        self._forward: Optional[dict[str, Any]] = None

    def cut_called(self, name: str, tensor: Any, frame: Any) -> None:
        caller = self._probe.user_frame(frame)
        if caller is None or len(self._exits) >= MAX_EXITS:
            return
        self._looked += 1
        behind = {id(leaf) for leaf in walk(tensor).leaves}
        self._exits.append((name, list(tensor.shape), self._probe.locate(caller), behind))

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if self._probe.backwards < CLOSE_BACKWARDS:
            outside = self._probe.outside_frame(frame, module)
            self._forward = {
                "grad_enabled": bool(self._probe.torch.is_grad_enabled()),
                "trainable": any(p.requires_grad for p in module.parameters()),
                "at": self._probe.locate(outside),
            }

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if not any(tensor.requires_grad for tensor in tensors):
            self._graphless(frame)
        if not self._exits:
            return
        for tensor in tensors:
            self._reached |= {id(leaf) for leaf in self._probe.walk(tensor).leaves}
        for name, shape, at, behind in self._exits:
            lost = behind - self._reached
            key = (name, None if at is None else (at["file"], at["line"]))
            if lost and key not in self._written:
                self._written.add(key)
                self._probe.record(
                    "graph.cut",
                    {
                        "function": name,
                        "shape": shape,
                        "lost": len(lost),
                        "behind": len(behind),
                        "ids": sorted(lost)[:64],
                    },
                    at=at,
                )
        self._exits = []

    def _graphless(self, frame: Any) -> None:
        """The loss has no graph at all: what left one on the way, or why none was made."""
        self._probe.record(
            "loss.graphless",
            {
                "grad_enabled": bool(self._probe.torch.is_grad_enabled()),
                "forward": self._forward,
                "exits": [
                    {"function": name, "shape": shape, "at": at, "behind": len(behind)}
                    for name, shape, at, behind in self._exits
                ],
            },
            at=self._probe.locate(frame),
            essential=True,
        )

    def finished(self, reason: str) -> None:
        self._probe.record("graph.exits", {"looked": self._looked})


COLLECTOR = GraphCutCollector
