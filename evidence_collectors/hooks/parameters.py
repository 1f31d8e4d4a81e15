"""Parameters: registration, writes to their values before the first update, freezing."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

from evidence_collectors.patching import Patches

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam

INITIALISERS = (
    "uniform_",
    "normal_",
    "trunc_normal_",
    "constant_",
    "ones_",
    "zeros_",
    "eye_",
    "dirac_",
    "xavier_uniform_",
    "xavier_normal_",
    "kaiming_uniform_",
    "kaiming_normal_",
    "orthogonal_",
    "sparse_",
)
WRITES = ("copy_", "normal_", "uniform_")


def install(seam: Seam, torch: Any) -> None:
    """Emit parameter_registered, values_written (until the first update) and grad_switched."""
    hub, probe = seam.hub, seam.probe
    early = Patches()
    depth = 0

    def writer(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def wrapped(tensor: Any, *args: Any, **kwargs: Any) -> Any:
                nonlocal depth
                depth += 1  # an initialiser writes through tensor methods: one event is enough
                try:
                    result = original(tensor, *args, **kwargs)
                finally:
                    depth -= 1
                if depth == 0 and probe.step == 0:
                    hub.emit("values_written", name, tensor, sys._getframe(1))
                return result

            return wrapped

        return make

    def make_register(original: Callable[..., Any]) -> Callable[..., Any]:
        def register_parameter(self: Any, name: str, param: Any) -> Any:
            result = original(self, name, param)
            if param is not None:
                hub.emit("parameter_registered", self, name, param, sys._getframe(1))
            return result

        return register_parameter

    def make_switch(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
            hub.emit("grad_switched", self, bool(requires_grad), sys._getframe(1))
            return original(self, requires_grad)

        return requires_grad_

    for name in INITIALISERS:
        if hasattr(torch.nn.init, name):
            early.replace(torch.nn.init, name, writer(name))
    for name in WRITES:
        early.replace(torch.Tensor, name, writer(name))
    seam.patches.on_undo(early.undo_all)
    probe.at_first_update.append(early.undo_all)
    seam.patches.replace(torch.nn.Module, "register_parameter", make_register)
    seam.patches.replace(torch.nn.Module, "requires_grad_", make_switch)
