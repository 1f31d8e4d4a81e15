"""Which of the losses that a step computes reach a backward call, and which earlier ones do again.

A term is a scalar with a graph: what a functional loss returned, or what the caller of backward
holds under a name (or in a named dict or list). Terms are recognised in the graph of the loss by
autograd's sequence numbers, so that nothing of the user's is kept alive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Iterator, Optional

from evidence_collectors.graph import sequence_number, walk
from evidence_collectors.locals_view import named_values

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 10
"""Backward calls after something new whose graphs are compared with the terms."""
MAX_TERMS = 24
MAX_EARLIER = 64
MAX_ITEMS = 16


class _Term:
    """One loss of the step, from being made until a backward call takes it or the next is made."""

    __slots__ = ("leaves", "sequence", "taken")

    def __init__(self, sequence: int, leaves: set[int]) -> None:
        self.sequence = sequence
        self.leaves = leaves
        self.taken = False


class _Site:
    """The terms of one place: its line and the how-manieth call of the step it is."""

    def __init__(self, label: str, at: Optional[dict[str, Any]]) -> None:
        self.label = label
        self.at = at
        self.made = self.lost = 0
        self.leaves: set[int] = set()
        self.current: Optional[_Term] = None


class LossTermCollector:
    """Counts, per term, how often no backward call took it, and the leaves only it reaches."""

    name: ClassVar[str] = "loss_terms"
    kinds: ClassVar[dict[str, str]] = {
        "loss.term": "a term: times made and lost (no backward took it before it was made again), "
        "ids and names of the leaves that it reaches and no backward looked at does; the line of "
        "backward, and whether the loss was itself what a functional loss returned",
        "loss.earlier": "backward calls looked at whose graph holds losses of earlier backward "
        "calls with an update between, the greatest number of those, the names in the caller of "
        "the scalars that hold none; first of them, number of calls looked at",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._sites: dict[Any, _Site] = {}
        self._ordinals: dict[Any, int] = {}
        self._reached: set[int] = set()
        self._roots: list[tuple[int, int]] = []
        self._looked = 0
        self._earlier = self._most = 0
        self._fresh_names: list[str] = []
        self._backward_at: Optional[dict[str, Any]] = None
        self._plain_root: Optional[dict[str, Any]] = None
        self._names: dict[int, str] = {}

    def _attentive(self) -> bool:
        return self._probe.since_novelty < CLOSE_BACKWARDS

    def loss_made(self, name: str, output: Any, frame: Any) -> None:
        if not self._attentive() or not isinstance(output, self._probe.torch.Tensor):
            return
        if output.numel() != 1 or not output.requires_grad:
            return
        caller = self._probe.user_frame(frame)
        place = None if caller is None else (caller.f_code, caller.f_lasti)
        ordinal = self._ordinals[place] = self._ordinals.get(place, 0) + 1
        self._note((place, ordinal), name, output, frame)

    def _note(self, key: Any, label: str, output: Any, frame: Any) -> None:
        site = self._sites.get(key)
        if site is None:
            if len(self._sites) >= MAX_TERMS:
                return
            site = self._sites[key] = _Site(label, self._probe.locate(frame))
        if site.current is not None and not site.current.taken:
            site.lost += 1
            site.leaves |= site.current.leaves
        site.made += 1
        leaves = {id(leaf) for leaf in walk(output).leaves}
        site.current = _Term(sequence_number(output), leaves)

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        self._ordinals.clear()
        if not self._attentive():
            for site in self._sites.values():
                site.current = None
            return
        self._looked += 1
        sequence: set[int] = set()
        for tensor in tensors:
            graph = self._probe.walk(tensor)
            sequence |= graph.sequence
            self._reached |= {id(leaf) for leaf in graph.leaves}
        root = sequence_number(tensors[0])
        caller = self._probe.user_frame(frame)
        self._backward_at = self._probe.locate(frame)
        for site in self._sites.values():
            if site.current is not None and site.current.sequence in sequence:
                site.current.taken = True
                if site.current.sequence == root:
                    self._plain_root = site.at
        self._note_earlier(root, sequence, caller)
        if caller is not None:
            self._note_named(caller, sequence)

    def _note_earlier(self, root: int, sequence: set[int], caller: Any) -> None:
        step = self._probe.step
        earlier = {number for number, at in self._roots if at < step} & sequence - {root}
        if earlier:
            self._earlier += 1
            self._most = max(self._most, len(earlier))
            if caller is not None and not self._fresh_names:
                self._fresh_names = [
                    name
                    for name, tensor in self._scalars(caller)
                    if sequence_number(tensor) not in (root, -1)
                    and not walk(tensor).sequence & earlier
                ]
        if root >= 0:
            self._roots = [*self._roots, (root, step)][-MAX_EARLIER:]

    def _note_named(self, caller: Any, sequence: set[int]) -> None:
        """Scalars in the caller's names that this backward does not take, as terms of their own."""
        known = {site.current.sequence for site in self._sites.values() if site.current}
        for name, tensor in self._scalars(caller):
            number = sequence_number(tensor)
            if number >= 0 and number not in sequence and number not in known:
                self._note((caller.f_code, name), name, tensor, caller)

    def _scalars(self, caller: Any) -> Iterator[tuple[str, Any]]:
        tensor_type = self._probe.torch.Tensor
        for name, value in named_values(caller).items():
            inner: list[tuple[str, Any]] = [(name, value)]
            if isinstance(value, dict) and len(value) <= MAX_ITEMS and not name.startswith("__"):
                inner = [(f"{name}[{key!r}]", item) for key, item in value.items()]
            for label, item in inner:
                if isinstance(item, tensor_type) and item.numel() == 1 and item.requires_grad:
                    yield label, item

    def finished(self, reason: str) -> None:
        holders = self._probe.models.holders()
        for site in self._sites.values():
            only = site.leaves - self._reached
            if not site.lost:
                continue
            self._probe.record(
                "loss.term",
                {
                    "label": site.label,
                    "made": site.made,
                    "lost": site.lost,
                    "only": sorted(only)[:64],
                    "names": [holders[key].name for key in sorted(only) if key in holders][:8],
                    "backward_at": self._backward_at,
                    "root_at": self._plain_root,
                },
                at=site.at,
            )
        self._probe.record(
            "loss.earlier",
            {
                "looked": self._looked,
                "with_earlier": self._earlier,
                "most": self._most,
                "fresh_names": self._fresh_names[:4],
            },
            at=self._backward_at,
        )


COLLECTOR = LossTermCollector
