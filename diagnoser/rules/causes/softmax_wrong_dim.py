"""The cause `softmax-wrong-dim`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import (
    DECISIVE,
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
from diagnoser.rules.call_edits import called_name, calls_at, keyword, replace_node
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.schema import Edit

CALLS = ("softmax", "log_softmax", "Softmax", "LogSoftmax", "softmin")


class SoftmaxWrongDim(Rule):
    """A softmax runs over another axis than the one that is summed or chosen from afterwards.

    What it detects:
        Class probabilities that sum to one over the batch and not over the classes; attention
        weights that sum to one over the samples, the heads or the queries, while the weighted sum
        that follows runs over the keys.
    Why it breaks training:
        The samples of a batch then compete with each other: an answer depends on who else is in
        the batch, and for a single sample every weight is 1.
    Evidence:
        loss.axis: along which axis the probabilities at nll_loss or cross_entropy sum to one;
        model.samples: the axis of each softmax, the axis along which one replaced sample moves its
        input, the axis that the following product sums, and how far other samples' outputs move.
    Example:
        weight = score.softmax(dim=0)     # [batch, key]
        context = torch.einsum("bk,bkd->bd", weight, value)
    Use instead:
        weight = score.softmax(dim=1)
        context = torch.einsum("bk,bkd->bd", weight, value)
    Can be confused with:
        Contrastive losses, whose softmax over the batch is meant; soft assignment (slots, capsules,
        clusters), whose softmax runs over the receivers; time-first layouts [key, batch].
    Verify:
        `weight.sum(dim)` must be 1 for each sample along the axis that is summed next.
    Prevent:
        Count softmax axes from the end (`dim=-1`) and test that one sample alone gives the answer
        that it gives inside a batch.
    References:
        PyTorch documentation, torch.nn.functional.softmax; Vaswani et al. 2017, section 3.2.1.
    """

    slug: ClassVar[str] = "softmax-wrong-dim"
    title: ClassVar[str] = "A softmax runs over the wrong axis"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -7,
        "loss-plateaus": -7,
        "underfitting": -6,
        "overfitting": -7,
        "inconsistent": -5,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"softmax.{0,60}(dim|axis)|(dim|axis).{0,60}softmax", 10),
        Cue(r"(answer|output|prediction).{0,60}(another|rest of the|other).{0,20}batch", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("model.samples", "loss.axis")
    fix_summary: ClassVar[str] = "Let the softmax run over the axis that is summed or chosen from"
    prevention: ClassVar[str] = (
        "Test that a sample alone gives the answer that it gives inside a batch."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        rows = [
            record
            for record in examination.of("loss.axis")
            if not record.data.get("own_numbers") and number(record.data.get("rows")) < 0.01
        ]
        if rows:
            return [self._read_loss(rows[0])]
        watched = examination.of("model.samples")
        findings = []
        for record in watched[:1]:
            for softmax in record.data.get("softmaxes") or ():
                finding = self._read(record, softmax)
                if finding is not None:
                    findings.append(finding)
        if findings:
            return findings
        looked = [s for record in watched[:1] for s in record.data.get("softmaxes") or ()]
        if not looked and not examination.of("loss.inputs"):
            return [missing("no softmax and no loss was looked at")]
        summed = [s for s in looked if s.get("summed_axis") is not None]
        if not summed:
            return [silent("no softmax that is followed by a weighted sum was seen")]
        text = (
            f"The softmax over axis {summed[0]['axis']} of {shape_text(summed[0]['shape'])} is "
            f"summed over the same axis"
        )
        place = location(summed[0].get("at"))
        return [silent(text, facts=[Fact("model.samples", text, place)])]

    def _read_loss(self, record: Record) -> Finding:
        data = record.data
        built, called = location(data.get("built_at")), location(data.get("called_at"))
        what = "log-probabilities" if data.get("logarithm") else "probabilities"
        note = (
            f"The {what} {shape_text(data.get('shape'))} that {data.get('loss')} gets at "
            f"{place_text(record.at)} sum to 1 along axis {data.get('axis')}, over the samples, "
            f"and in {number(data.get('rows')):.0%} of the rows over the classes (axis 1)"
        )
        fact = Fact("loss.axis", note, record.at, record.step, {"axis": 1})
        places = [built, called, record.at]
        return fired(DECISIVE, fact, note, places=places, direct=True)

    def _read(self, record: Record, softmax: Mapping[str, Any]) -> Finding | None:
        axis, summed = softmax.get("axis"), softmax.get("summed_axis")
        shape = list(softmax.get("shape") or ())
        if axis is None or summed is None or summed == axis or max(axis, summed) >= len(shape):
            return None
        place = location(softmax.get("at"))
        head = (
            f"The softmax at {place_text(place)} runs over axis {axis} of {shape_text(shape)}, "
            f"the weighted sum that follows over axis {summed}"
        )
        samples = softmax.get("samples_axis")
        if samples == axis:
            outputs = record.data.get("outputs") or {}
            note = (
                f"{head}; axis {axis} is the batch: one sample replaced by another moves the "
                f"outputs of {outputs.get('others_moved', 0)} other samples by up to "
                f"{number(outputs.get('others_change')):.3g}"
            )
            direct = True
        else:
            square = len(shape) >= 2 and shape[-1] == shape[-2] and shape[-1] > 1
            direct = square and summed == len(shape) - 1
            note = f"{head}: what one query gives to its keys does not sum to 1"
        fact = Fact("model.samples", note, place, record.step, {"axis": summed})
        return fired(DECISIVE if direct else WEAK, fact, note, places=[place], direct=direct)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if not finding.direct or not finding.facts:
                continue
            axis = finding.facts[0].data.get("axis")
            for place in finding.places:
                for call in calls_at(source, place, CALLS):
                    node = keyword(call, "dim") or _positional(call)
                    if isinstance(node, (ast.Constant, ast.UnaryOp)) and axis is not None:
                        edit = replace_node(source, place.file, node, str(axis), self.slug)
                        if edit is not None:
                            return [edit]
        return []


def _positional(call: ast.Call) -> ast.expr | None:
    """The axis where it is given by position: first of a method or layer, else second."""
    first = isinstance(call.func, ast.Attribute) and not _is_namespace(call.func.value)
    first = first or called_name(call)[:1].isupper()
    index = 0 if first else 1
    return call.args[index] if len(call.args) > index else None


def _is_namespace(node: ast.expr) -> bool:
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id in ("torch", "nn", "F", "functional")
