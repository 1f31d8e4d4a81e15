"""Is a model with several layers nothing but one linear map? Tried on a copy of it.

For an affine map f, f((a+b)/2) is (f(a)+f(b))/2 for all a and b, up to rounding.
"""

from __future__ import annotations

import sys
import time
import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.model_copy import copy_of, undisturbed

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

TRY_AT = 3
"""Backward calls after which a model is tried: it has been called and its layers are built."""
ROWS = 16
MAX_WIDTH = 20_000
"""Values of one input row above which the model is not tried (a 224 x 224 image has 150,528)."""
MAX_MODELS = 3
LAYERS = ("Linear", "Conv1d", "Conv2d", "Conv3d")
REPEATS = 3


class ModelLinearityCollector:
    """Compares a copy's results at two inputs and half way between, and times its precision."""

    name: ClassVar[str] = "model_linearity"
    kinds: ClassVar[dict[str, str]] = {
        "model.linearity": "per model: layers with weights in order of their call (class, units in "
        "and out, lines of call and construction), greatest deviation from an affine map of the "
        "last layer's result relative to its change, dtype",
        "model.precision": "per float64 model: seconds of forward and backward of one batch on a "
        "copy in float64 and in float32, greatest relative difference of the outputs",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._given: dict[int, tuple[Any, Any, int]] = {}
        self._tried = 0

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        torch = self._probe.torch
        if id(module) in self._given and self._given[id(module)][0]() is module:
            return
        if len(self._given) >= MAX_MODELS or not torch.is_grad_enabled() or len(inputs) != 1:
            return
        value = inputs[0]
        if (
            isinstance(value, torch.Tensor)
            and value.is_floating_point()
            and value.dim() > 1
            and value.shape[0] > 1
            and not value.requires_grad
            and next(module.parameters(), None) is not None
        ):
            if value[0].numel() > MAX_WIDTH:
                return
            kept = value.detach()[:ROWS].clone()
            self._given[id(module)] = (weakref.ref(module), kept, int(value.shape[0]))

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        if self._probe.since_novelty == TRY_AT:
            self._try_all()

    def finished(self, reason: str) -> None:
        self._given.clear()

    def _try_all(self) -> None:
        torch = self._probe.torch
        for key, (ref, value, size) in list(self._given.items()):
            model = ref()
            if model is None or value is None:
                continue
            self._given[key] = (ref, None, size)
            if torch.is_autocast_enabled() or self._tried >= MAX_MODELS:
                continue
            self._tried += 1
            with undisturbed(torch, model):
                facts = self._linearity(torch, model, value)
                timing = self._precision(torch, model, value, size)
            if facts is not None:
                self._probe.record("model.linearity", facts)
            if timing is not None:
                self._probe.record("model.precision", timing)

    def _linearity(self, torch: Any, model: Any, value: Any) -> Optional[dict[str, Any]]:
        kinds = tuple(getattr(torch.nn, name) for name in LAYERS)
        if sum(isinstance(module, kinds) for module in model.modules()) < 2:
            return None
        for dtype in (torch.float64, value.dtype):
            made = copy_of(torch, model)
            if made is None:
                return None
            try:
                with torch.no_grad():
                    return self._deviation(torch, model, made.to(dtype), value.to(dtype), kinds)
            except Exception:
                continue
        return None

    def _deviation(
        self, torch: Any, model: Any, made: Any, value: Any, kinds: tuple[type, ...]
    ) -> dict[str, Any]:
        names = {id(module): name for name, module in made.named_modules()}
        originals = dict(model.named_modules())
        calls: list[tuple[Any, Any]] = []
        places: dict[int, Any] = {}

        def note(module: Any, inputs: Any, output: Any) -> None:
            calls.append((module, output.detach().clone()))
            places.setdefault(id(module), self._call_place(sys._getframe(1)))

        layers: list[Any] = [module for module in made.modules() if isinstance(module, kinds)]
        for layer in layers:
            layer.register_forward_hook(note)
        scale = value.abs().mean().clamp(min=1e-12)
        left = value / scale
        right = -left.roll(1, 0)
        results = []
        for point in (left, right, (left + right) / 2):
            calls.clear()
            made(point)
            results.append(list(calls))
        first, second, middle = results
        facts: dict[str, Any] = {
            "model": type(model).__name__,
            "dtype": str(value.dtype).replace("torch.", ""),
            "width_in": int(value.shape[1] if value.dim() >= 4 else value.shape[-1]),
            "layers": [
                {
                    "name": names[id(module)],
                    "class": type(module).__name__,
                    "units": list(module.weight.shape[:2]),
                    "call_at": places.get(id(module)),
                    "at": self._probe.models.sites.get(originals.get(names[id(module)])),
                }
                for module, _ in first
            ],
        }
        if first and len(first) == len(second) == len(middle):
            a, b, half = first[-1][1], second[-1][1], middle[-1][1]
            change = (a - b).abs().max()
            if a.shape == b.shape == half.shape and bool(torch.isfinite(change)) and change > 0:
                facts["deviation"] = float((half - (a + b) / 2).abs().max() / change)
        return facts

    def _call_place(self, frame: Any) -> Optional[dict[str, Any]]:
        """The user's line inside the model's own forward that calls a layer."""
        while frame is not None and frame.f_code.co_filename != __file__:
            if self._probe.is_user_file(frame.f_code.co_filename):
                return self._probe.locate(frame)
            frame = frame.f_back
        return None

    def _precision(self, torch: Any, model: Any, value: Any, size: int) -> Optional[dict[str, Any]]:
        """Time forward and backward of a whole batch in both precisions."""
        if value.dtype != torch.float64:
            return None
        if any(p.dtype != torch.float64 for p in model.parameters()):
            return None
        batch = value.repeat((-(-size // value.shape[0]), *[1] * (value.dim() - 1)))[:size]
        found: dict[str, Any] = {"model": type(model).__name__, "rows": size}
        outputs = {}
        for name in ("float64", "float32"):
            made = copy_of(torch, model)
            if made is None:
                return None
            dtype = getattr(torch, name)
            made, given = made.to(dtype), batch.to(dtype)
            best = None
            try:
                for _ in range(REPEATS + 1):
                    begin = time.perf_counter()
                    with torch.enable_grad():
                        output = made(given)
                        torch.autograd.backward(output.sum())
                    spent = time.perf_counter() - begin
                    best = spent if best is None else min(best, spent)
            except Exception:
                return None
            found[name] = best
            outputs[name] = output.detach().double()
        scale = outputs["float64"].abs().max().clamp(min=1e-300)
        found["difference"] = float((outputs["float64"] - outputs["float32"]).abs().max() / scale)
        return found


COLLECTOR = ModelLinearityCollector
