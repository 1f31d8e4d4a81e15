"""Put a ReLU where one layer's result goes into the next layer without an activation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.counted_change import CountedChange
from evidence_collectors.graph import VIEW_NODES, node_of

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe

LAYERS = ("Linear", "Conv1d", "Conv2d", "Conv3d")
PASSED = VIEW_NODES | {"NativeBatchNormBackward0", "AvgPool2DBackward0", "MeanBackward1"}
"""Nodes between two layers that are linear in what they are given (dropout is met as a product)."""
MAX_NODES = 6


class ActivateBetweenLayers(CountedChange):
    """Which layer is fed by which is read from the autograd graph at each training call."""

    name: ClassVar[str] = "activate_between_layers"
    from_first_loss: ClassVar[bool] = True

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._results: dict[int, Any] = {}
        self._fed: set[int] = set()
        self._layers: tuple[type, ...] = ()

    def install(self, torch: Any, patches: Patches) -> None:
        """Register hooks on all modules; only layers with weights are looked at."""
        self._layers = tuple(getattr(torch.nn, name) for name in LAYERS)
        modules = torch.nn.modules.module
        before = modules.register_module_forward_pre_hook(self._before)
        after = modules.register_module_forward_hook(self._after)
        patches.on_undo(before.remove)
        patches.on_undo(after.remove)

    def _before(self, module: Any, inputs: Any) -> Any:
        if not isinstance(module, self._layers) or not inputs:
            return None
        if self._is_result(inputs[0]):
            self._fed.add(id(module))
        if id(module) not in self._fed:
            return None
        self._count += 1
        return (self._probe.torch.relu(inputs[0]), *inputs[1:])

    def _after(self, module: Any, inputs: Any, output: Any) -> None:
        node = node_of(output) if isinstance(module, self._layers) else None
        if node is not None:
            self._results[id(node)] = node

    def _is_result(self, tensor: Any) -> bool:
        node = node_of(tensor)
        for _ in range(MAX_NODES):
            if node is None:
                return False
            if self._results.get(id(node)) is node:
                return True
            if type(node).__name__ not in PASSED:
                return False
            node = next((child for child, _ in node.next_functions if child is not None), None)
        return False

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        self._results.clear()


INTERVENTION = ActivateBetweenLayers
