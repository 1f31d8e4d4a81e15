"""Repeats one training call of a model on changed inputs and records what moved."""

from __future__ import annotations

import time
import weakref
from typing import Any

from evidence_collectors.padding import find_padding
from evidence_collectors.reruns import layers, masks, samples, sequences
from evidence_collectors.reruns.call_trace import primary, tensor_inputs, trace
from evidence_collectors.reruns.model_copy import ModelCopy
from evidence_collectors.row_origins import RowOrigins

MAX_SEARCHED = 2_000_000
RELATED = 0.99


class ModelCall:
    """One training call of a model: its copy from before, inputs, output and gradient."""

    def __init__(self, module: Any, made: ModelCopy, at: Any, line: Any) -> None:
        self.module = weakref.ref(module)
        self.copy = made
        self.at = at
        self.line = line
        self.began = time.perf_counter()
        self.seconds = 0.0
        self.output: Any = None
        self.gradient: Any = None
        self.handle: Any = None
        self.targets: list[tuple[Any, Any, Any]] = []


class Analysis:
    """Reads training calls; knows the states with which each model's layers ended."""

    def __init__(self, probe: Any, origins: RowOrigins) -> None:
        self._probe = probe
        self._origins = origins
        self.states: dict[Any, tuple[Any, Any]] = {}

    def _run(self, call: ModelCall, args: Any, kwargs: Any) -> Any:
        made = call.copy
        model = made.model()
        seen = layers.LayerCalls(self._probe, model)
        traced = trace(self._probe, lambda: made.call(model, args, kwargs))
        traced.output = primary(self._probe.torch, traced.output)
        return traced, seen

    def read(self, call: ModelCall, key: int, *, closely: bool) -> None:
        """Record the states of one call and, looked at closely, what moves what."""
        torch, made = self._probe.torch, call.copy
        tensors = [t for t in tensor_inputs(torch, made.args, made.kwargs) if t.dim() >= 1]
        if not tensors:
            return
        before, seen = self._run(call, made.args, made.kwargs)
        if before.output is None or tuple(before.output.shape) != tuple(call.output.shape):
            return
        self._write_states(call, key, tensors, seen)
        if not closely:
            return
        self._write_samples(call, tensors, before, seen)
        self._write_targets(call, tensors, before)
        self._write_padding(call, tensors, before)

    def _origin(self, tensors: list[Any]) -> Any:
        """The first input with a known draw, its axis of samples, and the draw."""
        for tensor in tensors:
            axis = self._origins.axis(tensor)
            if axis is not None:
                return tensor, axis, self._origins.of(tensor)
        return None

    def _write_states(self, call: ModelCall, key: int, tensors: list[Any], seen: Any) -> None:
        known = self._origin(tensors)
        serial = None if known is None else known[2].serial
        for name, layer in seen.seen.items():
            if not layer["recurrent"]:
                continue
            last, drawn = self.states.get((key, name), (None, None))
            facts = layers.carried(self._probe.torch, last, layer)
            self.states[(key, name)] = (layer["last"], serial)
            if facts is None or (key, name, "first") not in self.states:
                self.states[(key, name, "first")] = (None, None)
                continue
            state_arguments = len(tensors) > 1 and any(
                isinstance(layer["state"], self._probe.torch.Tensor)
                and tensor.data_ptr() == layer["state"].data_ptr()
                for tensor in tensors
            )
            facts.update(
                {
                    "layer": name,
                    "class": layer["class"],
                    "unrelated": None not in (serial, drawn) and serial != drawn,
                    "same_draw": serial is not None and serial == drawn,
                    "how": "" if known is None else known[2].how,
                    "given_at": call.at if state_arguments else layer["at"],
                    "layer_at": layer["at"],
                    "rows": int(tensors[0].shape[0]),
                }
            )
            self._probe.record("recurrent.state", facts, at=call.at)

    def _write_samples(self, call: ModelCall, tensors: list[Any], before: Any, seen: Any) -> None:
        torch, made = self._probe.torch, call.copy
        known = self._origin(tensors)
        chosen, axis, origin = known if known is not None else (tensors[0], 0, None)
        count = int(chosen.shape[axis])
        if count < samples.MIN_SAMPLES:
            return
        i = count // 2
        axes = samples.sample_axes(tensors, axis, chosen)
        args, kwargs = samples.replaced(torch, axes, made.args, made.kwargs, i, (i + 1) % count)
        after, other = self._run(call, args, kwargs)
        facts = samples.output_facts(torch, before.output, after.output, count, i)
        module = call.module()
        sites = dict(module.named_modules()) if module is not None else {}
        read = layers.time_axes(torch, seen, other, count, i)
        for layer in read:
            owner = sites.get(layer["layer"])
            layer["built_at"] = None if owner is None else self._probe.models.sites.get(owner)
        self._probe.record(
            "model.samples",
            {
                "drawn": origin is not None,
                "how": "" if origin is None else origin.how,
                "axis": axis,
                "count": count,
                "input": list(chosen.shape),
                "outputs": facts,
                "softmaxes": samples.softmaxes(torch, before, after, count, i)[:12],
                "layers": read[:12],
            },
            at=call.at,
        )

    def _write_targets(self, call: ModelCall, tensors: list[Any], before: Any) -> None:
        torch, made = self._probe.torch, call.copy
        for target, ignored, place in call.targets:
            for tensor in tensors:
                if tensor.numel() > MAX_SEARCHED or target.numel() > MAX_SEARCHED:
                    continue
                found = sequences.relation(torch, tensor, target, ignored)
                if found is None or max(found["same"], found["next"]) < RELATED:
                    continue
                axis = found["axis"]
                position = int(tensor.shape[axis]) // 2
                args, kwargs = sequences.changed_at(
                    torch, tensor, axis, position, made.args, made.kwargs
                )
                after, _ = self._run(call, args, kwargs)
                found["causality"] = sequences.causality(
                    torch,
                    before,
                    after,
                    (before.output, after.output),
                    tensor.shape,
                    axis,
                    position,
                )
                found["first_counted"], found["last_counted"] = self._ends(call, tensor, axis)
                found["integer"] = not target.is_floating_point()
                found["shape"] = list(tensor.shape)
                found["called_at"] = call.at
                self._probe.record("targets.tokens", found, at=place)
                return

    def _ends(self, call: ModelCall, tensor: Any, axis: int) -> tuple[bool, bool]:
        """Whether the loss has a gradient through the first and the last position's output."""
        slope = sequences.time_axis(call.gradient, tensor.shape, axis)
        if slope is None:
            return True, True
        count = int(slope.shape[axis])
        return (
            bool((slope.select(axis, 0) != 0).any()),
            bool((slope.select(axis, count - 1) != 0).any()),
        )

    def _write_padding(self, call: ModelCall, tensors: list[Any], before: Any) -> None:
        torch, made = self._probe.torch, call.copy
        for tensor in tensors:
            if tensor.numel() > MAX_SEARCHED or tensor.dim() not in (2, 3):
                continue
            padding = find_padding(torch, tensor)
            if padding is None:
                continue
            target = next((t for t, _, _ in call.targets if not t.is_floating_point()), None)
            facts = masks.counted_positions(torch, call.output, call.gradient, padding, target)
            share = float(padding.mask.double().mean())
            if facts is not None:
                place = call.targets[0][2] if call.targets else None
                facts.update({"value": padding.value, "share": share, "called_at": call.at})
                facts["ignored"] = call.targets[0][1] if call.targets else None
                self._probe.record("loss.positions", facts, at=place)
            attentions = masks.attention_masks(torch, before, padding)
            if attentions:
                args, kwargs = masks.other_tokens(torch, tensor, padding, made.args, made.kwargs)
                after, _ = self._run(call, args, kwargs)
                change = (after.output.double() - before.output.double()).abs().max()
                self._probe.record(
                    "attention.padding",
                    {
                        "value": padding.value,
                        "side": padding.side,
                        "share": share,
                        "attentions": attentions[:8],
                        "real_change": float(change),
                    },
                    at=call.at,
                )
            return
