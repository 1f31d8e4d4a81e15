"""Which parameters the loss reaches, which the optimizers hold, and where the two differ."""

from __future__ import annotations

import sys
import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.schedule import first_then_powers

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 5
WATCH_UNREACHED_AT = 3
MAX_LISTED = 24
FINGERPRINT_ELEMENTS = 64


class _Leaf:
    """What is known of one trainable tensor over the run."""

    __slots__ = ("changed", "first", "held", "reached", "ref", "used")

    def __init__(self, tensor: Any) -> None:
        self.ref = weakref.ref(tensor)
        self.first = fingerprint(tensor)
        self.changed = False
        self.reached = 0
        self.used = 0
        self.held = False


class ReachCollector:
    """Compares the graph's leaves with the optimizers' groups and the registered parameters."""

    name: ClassVar[str] = "reach"
    kinds: ClassVar[dict[str, str]] = {
        "parameters.reach": "at the end and after novelties: per parameter whether some loss "
        "reaches it, an optimizer holds it, its module ran in training, its value changed; how "
        "many of the backward graphs walked start only at tensors that are no parameter and new",
        "optimizer.summary": "per optimizer: class, rates, updates, parameters held and reached, "
        "backward calls that reached it, line of construction",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._due = first_then_powers(CLOSE_BACKWARDS)
        self._leaves: dict[int, _Leaf] = {}
        self._optimizers: list[dict[str, Any]] = []
        self._walked = 0
        self._written = 0
        self._fresh_only = 0
        self._fresh_shapes: list[list[int]] = []
        self._loaded: set[int] = set()
        self._ran: dict[int, dict[str, Any]] = {}
        self._forwards: dict[int, dict[str, Any]] = {}
        self._handles: list[Any] = []

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                self._leaf(parameter).held = True
        self._optimizers.append(
            {
                "ref": weakref.ref(optimizer),
                "ids": {id(p) for group in optimizer.param_groups for p in group["params"]},
                "class": type(optimizer).__name__,
                "rates": [float(group.get("lr", 0.0)) for group in optimizer.param_groups],
                "groups": [len(group["params"]) for group in optimizer.param_groups],
                "count": self._probe.count_of(optimizer),
                "reaching": 0,
                "at": self._probe.locate(frame),
                "step_at": None,
                "lost_at": None,
            }
        )

    def state_loaded(self, module: Any) -> None:
        self._loaded.update(id(parameter) for parameter in module.parameters())

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if self._probe.models.add_root(module):
            self._probe.novelty()
        if self._probe.since_novelty < CLOSE_BACKWARDS:
            known = self._ran.get(id(module))
            if known is None:
                known = {
                    "ref": weakref.ref(module),
                    "class": type(module).__name__,
                    "grad": 0,
                    "no_grad": 0,
                    "at": self._probe.locate(frame),
                    "no_grad_at": None,
                    "training": 0,
                }
                self._ran[id(module)] = known
            if self._probe.torch.is_grad_enabled():
                known["grad"] += 1
            else:
                known["no_grad"] += 1
                known["no_grad_at"] = known["no_grad_at"] or self._probe.locate(frame)
            known["training"] += bool(module.training)

    def _is_known(self, tensor: Any) -> bool:
        leaf = self._leaves.get(id(tensor))
        return leaf is not None and leaf.ref() is tensor

    def _leaf(self, tensor: Any) -> _Leaf:
        leaf = self._leaves.get(id(tensor))
        if leaf is None or leaf.ref() is not tensor:
            leaf = _Leaf(tensor)
            self._leaves[id(tensor)] = leaf
        return leaf

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if not (self._due(self._probe.backwards) or self._probe.since_novelty < CLOSE_BACKWARDS):
            return
        self._walked += 1
        for root in self._probe.models.roots():
            for parameter in root.parameters():
                if parameter.requires_grad:
                    self._leaf(parameter)
        reached: set[int] = set()
        known_leaves = 0
        for tensor in tensors:
            for leaf in self._probe.walk(tensor).leaves:
                known_leaves += self._is_known(leaf)
                entry = self._leaf(leaf)
                entry.reached += 1
                reached.add(id(leaf))
                self._fresh_shapes = [*self._fresh_shapes, list(leaf.shape)][-4:]
        self._fresh_only += bool(reached) and not known_leaves
        for known in self._optimizers:
            if known["ref"]() is not None and known["ids"] & reached:
                known["reaching"] += 1

    def step_post(self, optimizer: Any) -> None:
        for known in self._optimizers:
            if known["ref"]() is optimizer:
                if known["step_at"] is None:
                    known["step_at"] = self._probe.locate(sys._getframe(2))
                if known["count"].steps == 0:
                    known["rates"] = [float(g.get("lr", 0.0)) for g in optimizer.param_groups]

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._probe.since_novelty == WATCH_UNREACHED_AT:
            self._watch_unreached()
        elif self._probe.since_novelty == CLOSE_BACKWARDS:
            self._release()
        if self._probe.since_novelty == CLOSE_BACKWARDS and self._written < 12:
            self._write()

    def _watch_unreached(self) -> None:
        """Hook the modules whose parameters no loss has reached, for the next backward calls."""
        self._release()
        for root in self._probe.models.roots():
            for module in root.modules():
                owned = [p for p in module._parameters.values() if p is not None]
                if any(p.requires_grad and not self._leaf(p).reached for p in owned):
                    self._handles.append(module.register_forward_hook(self._note_forward))

    def _note_forward(self, module: Any, inputs: Any, output: Any) -> None:
        try:
            note = {
                "grad": bool(self._probe.torch.is_grad_enabled()),
                "differentiable": bool(getattr(output, "requires_grad", False)),
                "at": self._probe.locate(sys._getframe(1)),
            }
            for parameter in module._parameters.values():
                if parameter is not None:
                    self._forwards.setdefault(id(parameter), note)
        except Exception as error:
            self._probe.record("collector.failed", {"collector": self.name, "error": str(error)})

    def _release(self) -> None:
        while self._handles:
            self._handles.pop().remove()

    def finished(self, reason: str) -> None:
        self._release()
        self._write()

    def _write(self) -> None:
        self._written += 1
        holders = self._probe.models.holders()
        held: set[int] = set()
        for known in self._optimizers:
            optimizer = known["ref"]()
            if optimizer is not None:
                known["ids"] = {id(p) for g in optimizer.param_groups for p in g["params"]}
            held |= known["ids"]
        rows = []
        for key, leaf in self._leaves.items():
            tensor = leaf.ref()
            if tensor is None:
                continue
            if not leaf.changed and fingerprint(tensor) != leaf.first:
                leaf.changed = True
            holder = holders.get(key)
            rows.append(
                {
                    "id": key,
                    "ran": self._forwards.get(key),
                    "name": holder.name if holder else "",
                    "root": holder.root if holder else "",
                    "module": holder.module if holder else "",
                    "registered": holder.registered if holder else None,
                    "shape": list(tensor.shape),
                    "parameter": isinstance(tensor, self._probe.torch.nn.Parameter),
                    "requires_grad": bool(tensor.requires_grad),
                    "reached": leaf.reached,
                    "held": key in held,
                    "ever_held": leaf.held or key in held,
                    "changed": leaf.changed,
                    "loaded": key in self._loaded,
                    "site": self._site(holder),
                }
            )
        interesting = [row for row in rows if not (row["reached"] and row["held"])]
        ordinary = [row for row in rows if row["reached"] and row["held"]]
        self._probe.record(
            "parameters.reach",
            {
                "walked": self._walked,
                "fresh_only": self._fresh_only,
                "fresh_shapes": self._fresh_shapes if self._fresh_only else [],
                "counts": {
                    "known": len(rows),
                    "reached": sum(1 for row in rows if row["reached"]),
                    "held": sum(1 for row in rows if row["held"]),
                    "held_and_reached": len(ordinary),
                },
                "rows": (interesting + ordinary)[:MAX_LISTED],
                "ran": [
                    {key: value for key, value in known.items() if key != "ref"}
                    for known in self._ran.values()
                ][:12],
            },
        )
        for known in self._optimizers:
            alive = known["ref"]() is not None
            unreached = [
                {
                    "shape": list(tensor.shape),
                    "name": holders[key].name if key in holders else "",
                    "orphan": key not in holders,
                }
                for key in known["ids"]
                if key in self._leaves
                and (tensor := self._leaves[key].ref()) is not None
                and not self._leaves[key].reached
            ]
            self._probe.record(
                "optimizer.summary",
                {
                    "class": known["class"],
                    "rates": known["rates"],
                    "groups": known["groups"],
                    "parameters": len(known["ids"]),
                    "updates": known["count"].steps,
                    "reaching": known["reaching"],
                    "alive": alive,
                    "unreached": len(unreached),
                    "orphans": sum(bool(row["orphan"]) for row in unreached),
                    "step_at": known["step_at"],
                    "changed": sum(
                        key in self._leaves and self._leaves[key].changed for key in known["ids"]
                    ),
                },
                at=known["at"],
            )

    def _site(self, holder: Any) -> Optional[dict[str, Any]]:
        if holder is None:
            return None
        for root in self._probe.models.roots():
            if type(root).__name__ == holder.root:
                if holder.registered:
                    found = self._probe.models.site_of(root, holder.name)
                else:
                    found = self._probe.models.attribute_site(root, holder.name)
                if found is not None:
                    return found
        return None


def fingerprint(tensor: Any) -> tuple[float, ...]:
    """The first elements of a tensor, read without touching gradients or random streams."""
    flat = tensor.detach().reshape(-1)[:FINGERPRINT_ELEMENTS]
    return tuple(flat.to("cpu").tolist()) if not flat.is_complex() else ()


COLLECTOR = ReachCollector
