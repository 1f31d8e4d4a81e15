"""What made a prediction: the activation right behind it, and the layer behind that."""

from __future__ import annotations

from typing import Any, Optional

from evidence_collectors.graph import VIEW_NODES, node_of
from evidence_collectors.models import Models

MAX_NODES = 64
MAX_VIEWS = 12


def activation_behind(tensor: Any, known: dict[int, Any]) -> Optional[dict[str, Any]]:
    """Name and line of the activation behind a tensor, through views and copies only.

    `known` holds (node, name, line) by the node's id. For another operation the name is "".
    """
    node = node_of(tensor)
    for _ in range(MAX_VIEWS):
        if node is None:
            return None
        entry = known.get(id(node))
        if entry is not None and entry[0] is node:
            return {"name": entry[1], "node": type(node).__name__, "at": entry[2]}
        if type(node).__name__ not in VIEW_NODES:
            return {"name": "", "node": type(node).__name__, "at": None}
        node = _following(node)
    return None


def is_one_of(tensor: Any, nodes: dict[int, Any]) -> bool:
    """Whether a tensor's node is one of these (by id), or a view of one."""
    node = node_of(tensor)
    for _ in range(MAX_VIEWS):
        if node is None:
            return False
        if nodes.get(id(node)) is node:
            return True
        if type(node).__name__ not in VIEW_NODES:
            return False
        node = _following(node)
    return False


def layer_behind(tensor: Any, models: Models) -> Optional[dict[str, Any]]:
    """Class, units and line of construction of the layer whose result the tensor comes from."""
    seen = [node for node in (node_of(tensor),) if node is not None]
    for node in seen:
        owner = _owner_of(getattr(node, "variable", None), models)
        if owner is not None:
            return {
                "class": type(owner).__name__,
                "units": getattr(owner, "out_features", None),
                "at": models.sites.get(owner),
            }
        if len(seen) < MAX_NODES:
            seen.extend(child for child, _ in node.next_functions if child is not None)
    return None


def _following(node: Any) -> Any:
    return next((child for child, _ in node.next_functions if child is not None), None)


def _owner_of(parameter: Any, models: Models) -> Any:
    if parameter is None:
        return None
    for root in models.roots():
        for module in root.modules():
            if any(own is parameter for own in module._parameters.values()):
                return module
    return None
