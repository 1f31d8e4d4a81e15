"""The cause `axes-scrambled`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    WEAK,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    fired,
    missing,
    silent,
)
from diagnoser.rules.call_edits import add_keyword, calls_at, keyword, replace_node
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.schema import Edit

RECURRENT = ("RNN", "LSTM", "GRU")
ATTENTION = ("MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer")


class AxesScrambled(Rule):
    """Values land on the wrong axis: view where permute was meant, or time and batch confused.

    What it detects:
        A view or reshape whose result has the axes of a permuted tensor although no value moves; a
        recurrent or attention layer that reads the axis of the samples as time; outputs whose row i
        does not depend on sample i.
    Why it breaks training:
        Pixels of different channels, or steps of different sequences, are mixed as if they were
        neighbours. Every shape agrees, so there is no error; the model learns little.
    Evidence:
        axes.moved: sizes that a reshape puts at another stride in reading order;
        model.samples: the axis along which one replaced sample moves a layer's input, against the
        axis that the layer reads as time; which outputs the replaced sample moves.
    Example:
        image = torch.from_numpy(array).view(3, 32, 32)      # array is [32, 32, 3]
    Use instead:
        image = torch.from_numpy(array).permute(2, 0, 1)
    Can be confused with:
        Flattening and splitting of neighbouring axes, which keep the order; time-first tensors in
        time-first layers; attention over the batch on purpose.
    Verify:
        Fill a tensor with arange and compare one element before and after the reshape.
    Prevent:
        Name the axes in a comment at each reshape; use permute or transpose to change their order.
    References:
        PyTorch documentation, torch.Tensor.view and torch.permute; torch.nn.LSTM (batch_first).
    """

    slug: ClassVar[str] = "axes-scrambled"
    title: ClassVar[str] = "Axes are mixed up without an error"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "loss-plateaus": -6,
        "underfitting": -5,
        "overfitting": -7,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"\b(view|reshape|permute|transpose)\b", 6),
        Cue(r"batch_first|channels? (first|last)|nhwc|nchw", 8),
    )
    needs: ClassVar[tuple[str, ...]] = ("axes.moved", "model.samples")
    fix_summary: ClassVar[str] = "Reorder the axes with permute or transpose (or set batch_first)"
    prevention: ClassVar[str] = (
        "Name the axes in a comment at each reshape, and test that a changed sample moves its own "
        "output only."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        watched = examination.of("model.samples")
        moved = examination.of("axes.moved")
        if not watched and not moved:
            return [missing("no reshape and no batch of a model was looked at")]
        findings = [self._read_moved(record) for record in moved if record.data.get("varied")]
        for record in watched[:1]:
            layers = [self._read_layer(record, layer) for layer in record.data.get("layers") or ()]
            findings.extend([finding for finding in layers if finding is not None][:1])
            misplaced = self._read_rows(record, moved)
            if misplaced is not None:
                findings.append(misplaced)
        if findings:
            return sorted(findings, key=lambda finding: -finding.decibans)
        if not watched:
            return [silent("no reshape moves an axis")]
        outputs = watched[0].data.get("outputs") or {}
        text = (
            f"One sample replaced by another moves its own output and those of "
            f"{outputs.get('others_moved', 0)} other samples"
        )
        return [silent(text, facts=[Fact("model.samples", text, watched[0].at)])]

    @staticmethod
    def _read_moved(record: Record) -> Finding:
        data = record.data
        sizes = ", ".join(str(size) for size in data.get("moved") or ())
        many = len(data.get("moved") or ()) > 1
        note = (
            f"The reshape at {place_text(record.at)} turns {shape_text(data.get('from'))} into "
            f"{shape_text(data.get('to'))}: the {'axes' if many else 'axis'} of size {sizes} "
            f"{'stand' if many else 'stands'} elsewhere, but the values keep their reading order, "
            f"so each new row mixes what lay on different axes"
        )
        sure = bool(data.get("floating")) and bool(
            data.get("differentiable") or (data.get("permuted") and many)
        )
        fact = Fact("axes.moved", note, record.at, record.step, dict(data))
        weight = DECISIVE if sure else WEAK
        return fired(weight, fact, note, places=[record.at], direct=sure)

    @staticmethod
    def _read_layer(record: Record, layer: Mapping[str, Any]) -> Finding | None:
        axis, shape = layer.get("samples_axis"), list(layer.get("shape") or ())
        if axis is None or axis != layer.get("time_axis") or len(shape) != 3:
            return None
        other = shape[1 - axis] if axis in (0, 1) else 1
        if not record.data.get("drawn") or (not layer.get("recurrent") and other < 2):
            return None
        built, called = location(layer.get("built_at")), location(layer.get("at"))
        outputs = record.data.get("outputs") or {}
        note = (
            f"The {layer.get('class')} at {place_text(called)} reads axis {axis} of "
            f"{shape_text(shape)} as time, but its {shape[axis]} entries are samples drawn by "
            f"{record.data.get('how')}"
        )
        if int(outputs.get("others_moved", 0)):
            note += (
                f"; one sample replaced by another moves the outputs of "
                f"{outputs['others_moved']} other samples by up to "
                f"{number(outputs.get('others_change')):.3g}"
            )
        fact = Fact("model.samples", note, built or called, record.step, {"time": axis})
        return fired(DECISIVE, fact, note, places=[built, called, record.at], direct=True)

    @staticmethod
    def _read_rows(record: Record, moved: Sequence[Record]) -> Finding | None:
        outputs = record.data.get("outputs") or {}
        if not outputs or outputs.get("own_moved") or not int(outputs.get("others_moved", 0)):
            return None
        note = (
            f"Sample {outputs.get('replaced')} of {outputs.get('samples')} replaced by another "
            f"moves the outputs of {outputs.get('others_moved')} other samples and not its own"
        )
        sure = bool(record.data.get("drawn"))
        places = [entry.at for entry in moved if entry.data.get("differentiable")]
        fact = Fact("model.samples", note, record.at, record.step, dict(outputs))
        return fired(
            DECISIVE if sure else MODERATE, fact, note, places=[*places, record.at], direct=sure
        )

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if not finding.direct or not finding.places or not finding.facts:
                continue
            data = finding.facts[0].data
            edit = (
                self._permute(source, finding, data)
                if "moved" in data
                else self._batch_first(source, finding)
            )
            if edit is not None:
                return [edit]
        return []

    def _permute(self, source: Source, finding: Finding, data: Mapping[str, Any]) -> Edit | None:
        place = finding.places[0]
        order = permutation(data.get("from") or (), data.get("to") or ())
        calls = calls_at(source, place, ("view", "reshape"))
        if order is None or len(calls) != 1 or not isinstance(calls[0].func, ast.Attribute):
            return None
        value = calls[0].func.value
        if isinstance(value, ast.Name) and value.id in ("torch", "np", "numpy"):
            return None
        axes = ", ".join(str(axis) for axis in order)
        text = f"{ast.unparse(value)}.permute({axes})"
        return replace_node(source, place.file, calls[0], text, self.slug)

    def _batch_first(self, source: Source, finding: Finding) -> Edit | None:
        for place in finding.places:
            for call in calls_at(source, place, (*RECURRENT, *ATTENTION)):
                given = keyword(call, "batch_first")
                if given is None and finding.facts[0].data.get("time") == 0:
                    return add_keyword(source, place.file, call, "batch_first=True", self.slug)
                if isinstance(given, ast.Constant):
                    text = str(not given.value)
                    return replace_node(source, place.file, given, text, self.slug)
        return None


def permutation(old: Sequence[int], new: Sequence[int]) -> list[int] | None:
    """The order of the old axes that gives the new sizes, equal sizes in their old order."""
    left = list(enumerate(old))
    order = []
    for size in new:
        found = next((entry for entry in left if entry[1] == size), None)
        if found is None:
            return None
        left.remove(found)
        order.append(found[0])
    return order if not left else None
