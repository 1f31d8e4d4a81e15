"""The signs with which terms of a known direction stand in the loss.

From the loss inwards through sums, differences, scalar factors and means, down to terms whose sign
is known: squares, norms and the library's losses are not negative; a log-likelihood grows with the
quality of the model, so that it is to be maximised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Iterator, Optional

from evidence_collectors.graph import node_of, sequence_number

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

CLOSE_BACKWARDS = 6
MAX_NODES = 200
MAX_SITES = 4
PASSING = frozenset(
    {"MeanBackward0", "MeanBackward1", "SumBackward0", "SumBackward1", "ToCopyBackward0"}
    | {"SqueezeBackward0", "SqueezeBackward1", "ViewBackward0", "ReshapeAliasBackward0"}
    | {"UnsqueezeBackward0", "StackBackward0", "CatBackward0", "CloneBackward0", "AddBackward0"}
)
NOT_NEGATIVE = frozenset(
    {"MseLossBackward0", "AbsBackward0", "SmoothL1LossBackward0", "HuberLossBackward0"}
    | {
        "NllLossBackward0",
        "NllLoss2DBackward0",
        "NllLossNdBackward0",
        "BinaryCrossEntropyBackward0",
    }
    | {"BinaryCrossEntropyWithLogitsBackward0", "SoftplusBackward0", "ExpBackward0"}
    | {"LinalgVectorNormBackward0", "NormBackward1", "NormBackward0", "ReluBackward0"}
)


class LossSignCollector:
    """Counts, per backward line, the signs of the terms whose direction is known."""

    name: ClassVar[str] = "loss_signs"
    kinds: ClassVar[dict[str, str]] = {
        "loss.signs": "per line that calls backward: graphs looked at, and per kind of term how "
        "often it stood with a positive and with a negative sign, and the greatest factor; "
        "a log-likelihood of given data counts as `log_prob`; other terms; number of optimizers",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._sites: dict[Any, dict[str, Any]] = {}
        self._likelihoods: set[int] = set()
        self._optimizers = 0

    def likelihood_made(self, value: Any, result: Any) -> None:
        if not getattr(value, "requires_grad", False) and len(self._likelihoods) < MAX_NODES:
            self._likelihoods.add(sequence_number(result))

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._optimizers += 1

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if self._probe.since_novelty >= CLOSE_BACKWARDS:
            self._likelihoods.clear()
            return
        caller = self._probe.user_frame(frame)
        key = None if caller is None else (caller.f_code, caller.f_lasti)
        site = self._sites.get(key)
        if site is None:
            if len(self._sites) >= MAX_SITES:
                return
            site = {"looked": 0, "terms": {}, "other": 0, "at": self._probe.locate(frame)}
            self._sites[key] = site
        site["looked"] += 1
        for label, factor in self._terms(tensors[0]):
            if not label:
                site["other"] += 1
                continue
            term = site["terms"].setdefault(label, {"positive": 0, "negative": 0, "factor": 0.0})
            term["positive" if factor > 0 else "negative"] += 1
            if abs(factor) > abs(term["factor"]):
                term["factor"] = factor
        self._likelihoods.clear()

    def _terms(self, loss: Any) -> Iterator[tuple[str, float]]:
        """(kind or "", factor) of each term; the factor is the product of the scalars before it."""
        start = node_of(loss)
        stack = [(start, 1.0)] if start is not None else []
        visited = 0
        while stack and visited < MAX_NODES:
            node, factor = stack.pop()
            visited += 1
            name = type(node).__name__
            if self._number(node) in self._likelihoods:
                yield "log_prob", factor
            elif self._is_not_negative(node, name):
                yield name.replace("Backward0", "").replace("Backward1", ""), factor
            elif name in PASSING:
                stack.extend((child, factor) for child, _ in node.next_functions if child)
            elif name == "NegBackward0":
                stack.extend((child, -factor) for child, _ in node.next_functions if child)
            elif name in ("SubBackward0", "RsubBackward1"):
                first = 1.0 if name == "SubBackward0" else -1.0
                for sign, (child, _) in zip((first, -first), node.next_functions):
                    if child is not None:
                        stack.append((child, factor * sign))
            elif name in ("MulBackward0", "DivBackward0") and (scalar := _scalar(node)) is not None:
                inner = factor * scalar if name == "MulBackward0" else factor / scalar
                stack.extend((child, inner) for child, _ in node.next_functions if child)
            elif name != "AccumulateGrad":
                yield "", factor

    @staticmethod
    def _number(node: Any) -> int:
        number = getattr(node, "_sequence_nr", None)
        return -1 if number is None else int(number())

    @staticmethod
    def _is_not_negative(node: Any, name: str) -> bool:
        if name == "PowBackward0":
            exponent = getattr(node, "_saved_exponent", None)
            return isinstance(exponent, (int, float)) and exponent % 2 == 0
        if name == "MulBackward0":
            children = [child for child, _ in node.next_functions]
            return len(children) == 2 and children[0] is not None and children[0] is children[1]
        return name in NOT_NEGATIVE

    def finished(self, reason: str) -> None:
        for site in self._sites.values():
            facts = {key: value for key, value in site.items() if key != "at"}
            facts["optimizers"] = self._optimizers
            self._probe.record("loss.signs", facts, at=site["at"])


def _scalar(node: Any) -> Optional[float]:
    """The constant single number that a product or quotient holds beside its one graph input."""
    children = [child for child, _ in node.next_functions if child is not None]
    if len(children) != 1:
        return None
    try:
        other = node._saved_other if node.next_functions[0][0] is not None else node._saved_self
    except (AttributeError, RuntimeError):
        return None
    if other is None or other.numel() != 1:
        return None
    value = float(other)
    return value if value == value and value != 0 else None


COLLECTOR = LossSignCollector
