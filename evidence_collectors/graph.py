"""Walks over autograd graphs, before backward frees them.

`_saved_*` attributes are never read: under checkpointing that re-runs the user's forward.
"""

from __future__ import annotations

from typing import Any

MAX_NODES = 20_000
"""A walk costs about 0.35 us a node; larger graphs are cut and marked as such."""

VIEW_NODES = frozenset(
    {
        "ViewBackward0",
        "UnsafeViewBackward0",
        "ReshapeAliasBackward0",
        "AsStridedBackward0",
        "TransposeBackward0",
        "TBackward0",
        "PermuteBackward0",
        "SqueezeBackward0",
        "SqueezeBackward1",
        "SqueezeBackward2",
        "UnsqueezeBackward0",
        "SelectBackward0",
        "SliceBackward0",
        "IndexBackward0",
        "IndexSelectBackward0",
        "CloneBackward0",
        "ExpandBackward0",
        "AliasBackward0",
        "ToCopyBackward0",
        "CatBackward0",
        "StackBackward0",
        "MaskedSelectBackward0",
    }
)
"""Nodes that move values without changing them; provenance looks through them."""


def node_of(tensor: Any) -> Any:
    """A tensor's grad_fn; None also where autograd refuses to tell.

    Asking a view made under no_grad whose base was then changed in place raises RuntimeError.
    """
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


class Walk:
    """What one backward graph reaches."""

    def __init__(self) -> None:
        self.leaves: list[Any] = []
        self.sequence: set[int] = set()
        self.nodes: list[Any] = []
        self.complete = True


def walk(root: Any) -> Walk:
    """Visit every node below a tensor's grad_fn (or the leaf itself)."""
    seen = Walk()
    start = node_of(root)
    if start is None:
        if root.requires_grad:
            seen.leaves.append(root)
        return seen
    stack = [start]
    visited = {start}
    while stack:
        node = stack.pop()
        variable = getattr(node, "variable", None)
        if variable is not None:
            seen.leaves.append(variable)
            continue
        number = getattr(node, "_sequence_nr", None)
        if number is not None:
            seen.sequence.add(number())
        seen.nodes.append(node)
        if len(visited) > MAX_NODES:
            seen.complete = False
            break
        for child, _ in node.next_functions:
            if child is not None and child not in visited:
                visited.add(child)
                stack.append(child)
    return seen


def chain(tensor: Any, length: int = 12) -> list[str]:
    """Names of the nodes along the first inputs, from the tensor inwards."""
    names: list[str] = []
    node = node_of(tensor)
    while node is not None and len(names) < length:
        names.append(type(node).__name__)
        following = [child for child, _ in node.next_functions if child is not None]
        node = following[0] if following else None
    return names


def source_node(tensor: Any, depth: int = 40) -> str:
    """Name of the first node behind a tensor that is not a mere view or copy; "" for none."""
    node = node_of(tensor)
    for _ in range(depth):
        if node is None:
            return ""
        name = type(node).__name__
        if name not in VIEW_NODES:
            return name
        following = [child for child, _ in node.next_functions if child is not None]
        node = following[0] if following else None
    return ""


def sequence_number(tensor: Any) -> int:
    """The autograd sequence number of the operation that made a tensor, or -1."""
    node = node_of(tensor)
    number = getattr(node, "_sequence_nr", None)
    return int(number()) if number is not None else -1
