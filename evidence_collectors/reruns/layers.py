"""Recurrent and attention layers of a copy: which state they start from, which axis is time."""

from __future__ import annotations

import sys
from typing import Any, Optional

from evidence_collectors.reruns.samples import axis_of_sample


class LayerCalls:
    """The first call of each recurrent or attention layer while a copy runs."""

    def __init__(self, probe: Any, model: Any) -> None:
        self._probe = probe
        nn = probe.torch.nn
        self.seen: dict[str, dict[str, Any]] = {}
        cells = getattr(nn.modules.rnn, "RNNCellBase", ())
        for name, module in model.named_modules():
            if isinstance(module, (nn.RNNBase, cells, nn.MultiheadAttention)):
                module.register_forward_hook(self._hook(name), with_kwargs=True)

    def _hook(self, name: str) -> Any:
        def note(module: Any, args: Any, kwargs: Any, output: Any) -> None:
            torch = self._probe.torch
            recurrent = not isinstance(module, torch.nn.MultiheadAttention)
            source = args[0] if args else kwargs.get("input", kwargs.get("query"))
            state = kwargs.get("hx", args[1] if recurrent and len(args) > 1 else None)
            last = output[1] if isinstance(module, torch.nn.RNNBase) else output
            if name in self.seen:
                self.seen[name]["last"] = _first(last)
                return
            batched = recurrent and not isinstance(module, torch.nn.RNNBase)
            self.seen[name] = {
                "name": name,
                "class": type(module).__name__,
                "recurrent": recurrent,
                "batch_first": bool(getattr(module, "batch_first", batched)),
                "cell": batched,
                "input": source,
                "state": _first(state) if recurrent else None,
                "last": _first(last) if recurrent else None,
                "at": self._probe.locate(sys._getframe(1)),
            }

        return note


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, (tuple, list)) and value else value


def time_axes(
    torch: Any, before: LayerCalls, after: LayerCalls, count: int, i: int
) -> list[dict[str, Any]]:
    """For each layer that reads [time, batch, feature] in some order: where the samples lie."""
    found = []
    for name, call in before.seen.items():
        other = after.seen.get(name)
        if other is None or call["cell"] or getattr(call["input"], "dim", lambda: 0)() != 3:
            continue
        if tuple(other["input"].shape) != tuple(call["input"].shape):
            continue
        axis = axis_of_sample(torch, call["input"], other["input"], count, i)
        found.append(
            {
                "layer": name,
                "class": call["class"],
                "recurrent": call["recurrent"],
                "time_axis": 1 if call["batch_first"] else 0,
                "samples_axis": axis,
                "shape": list(call["input"].shape),
                "at": call["at"],
            }
        )
    return found


def carried(torch: Any, earlier: Any, call: dict[str, Any]) -> Optional[dict[str, Any]]:
    """Whether a layer starts from the state with which the call before it ended."""
    state = call["state"]
    if not isinstance(state, torch.Tensor):
        return {"start": "zero", "norm": 0.0, "carried": False}
    norm = float(state.detach().double().pow(2).mean().sqrt())
    same = (
        isinstance(earlier, torch.Tensor)
        and norm > 0
        and tuple(earlier.shape) == tuple(state.shape)
        and bool(torch.allclose(earlier, state.detach(), rtol=1e-4, atol=1e-6))
    )
    return {"start": "given", "norm": norm, "carried": same}
