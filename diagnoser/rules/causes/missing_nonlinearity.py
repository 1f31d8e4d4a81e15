"""The cause `missing-nonlinearity`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import (
    MODERATE,
    STRONG,
    WEAK,
    Cue,
    Fact,
    Finding,
    Rule,
    Source,
    Trial,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.source_lines import lines_of
from diagnoser.rules.source_search import tree_of
from diagnoser.schema import Edit, Location

ROUNDING = {"float64": 1e-9, "float32": 1e-4}
"""Deviation from an affine map, relative to the change, that rounding of some layers explains."""


class MissingNonlinearity(Rule):
    """Layers follow each other with no activation between them, so that the net is a linear map.

    What it detects:
        A model with two or more layers with weights whose last layer's result is an affine function
        of the input, measured on a copy; a ReLU between the layers makes the same script learn.
    Why it breaks training:
        A product of matrices is a matrix: any number of such layers can do what one can, and a
        curve or a ring is out of reach.
    Evidence:
        model.linearity: the deviation of f((a+b)/2) from (f(a)+f(b))/2; settled by the experiment
        activate-between-layers.
    Example:
        return self.third(self.second(self.first(x)))
    Use instead:
        return self.third(torch.relu(self.second(torch.relu(self.first(x)))))
    Can be confused with:
        A linear model on purpose, a narrow layer that lowers the rank (a linear autoencoder), nets
        whose only nonlinearity is a normalisation or a product.
    Verify:
        Compare `f((a + b) / 2)` with `(f(a) + f(b)) / 2` for two inputs in eval mode.
    Prevent:
        Build layer and activation together, in one function.
    References:
        Goodfellow, Bengio, Courville, "Deep Learning", section 6.1.
    """

    slug: ClassVar[str] = "missing-nonlinearity"
    title: ClassVar[str] = "The network is a linear map"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "loss-plateaus": -5,
        "underfitting": -4,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"straight line|linear (model|map)|no activation|deeper .{0,20}no(t| )|"
            r"more layers .{0,30}(no|same|help)",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("model.linearity",)
    trial: ClassVar[Trial | None] = Trial("activate_between_layers")
    experiment_only: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Apply an activation between the layers"
    prevention: ClassVar[str] = "Build layer and activation together, in one function."

    def weigh(self, examination: Examination) -> list[Finding]:
        models = [r for r in examination.of("model.linearity") if r.data.get("layers")]
        if not models:
            return [missing("no model with several layers was tried")]
        linear = [record for record in models if self._is_linear(record.data)]
        if not linear:
            deviation = max(number(r.data.get("deviation", 0.0)) for r in models)
            text = f"A copy of the model is no affine map (it deviates by {deviation:.2g})"
            return [silent(text, facts=[Fact("model.linearity", text)])]
        return self._read(linear[0], examination)

    @staticmethod
    def _is_linear(data: Mapping[str, Any]) -> bool:
        deviation = data.get("deviation")
        limit = ROUNDING.get(str(data.get("dtype")), 0.0)
        return len(data["layers"]) > 1 and deviation is not None and number(deviation) <= limit

    def _read(self, record: Record, examination: Examination) -> list[Finding]:
        layers = record.data["layers"]
        ends = int(record.data["width_in"]), int(layers[-1]["units"][0])
        narrow = min(int(layer["units"][0]) for layer in layers[:-1])
        text = (
            f"{record.data['model']} has {len(layers)} layers with weights "
            f"({', '.join(str(layer['units'][0]) for layer in layers)} units) and is one affine "
            f"map: half way between two inputs its result deviates by "
            f"{number(record.data['deviation']):.1g} from the mean of theirs"
        )
        places = _places(layers)
        data = {"layers": [_named(layer) for layer in layers]}
        fact = Fact("model.linearity", text, places[0] if places else None, record.step, data)
        on_purpose = narrow < min(ends)
        findings = [fired(WEAK if on_purpose else MODERATE, fact, text, places=places)]
        arm = examination.arm(self.trial.intervention) if self.trial is not None else None
        if arm is not None and arm.removed_symptom:
            helped = f"{text}; with a ReLU between the layers {arm.note}"
            told = Fact("experiment.arm", f"With a ReLU between the layers {arm.note}")
            findings.insert(0, fired(STRONG, (fact, told), helped, places=places))
        return findings

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        """Wrap each call of a layer but the last in a ReLU, where each has a line of its own."""
        for finding in findings:
            layers = finding.facts[0].data.get("layers") if finding.facts else None
            if not layers:
                continue
            edits = [self._wrap(source, layer) for layer in layers[:-1]]
            made = [edit for edit in edits if edit is not None]
            if made and len(made) == len(edits) and len({e.line for e in made}) == len(made):
                return made
        return []

    def _wrap(self, source: Source, layer: Mapping[str, Any]) -> Edit | None:
        place, name = location(layer.get("call_at")), str(layer["name"]).rpartition(".")[2]
        text = source.text(place.file) if place is not None else None
        if place is None or text is None or "import torch\n" not in text.replace("\r", ""):
            return None
        calls = [
            node
            for node in ast.walk(tree_of(text))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == name
            and node.lineno == node.end_lineno == place.line
        ]
        if len(calls) != 1:
            return None
        line = lines_of(text)[place.line - 1]
        start, end = calls[0].col_offset, calls[0].end_col_offset
        raw = line.encode()
        after = raw[:start] + b"torch.relu(" + raw[start:end] + b")" + raw[end:]
        return Edit(
            file=place.file, line=place.line, cause=self.slug, before=line, after=after.decode()
        )


def _named(layer: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": layer["name"], "call_at": layer.get("call_at")}


def _places(layers: Sequence[Mapping[str, Any]]) -> list[Location]:
    """Lines of the layers' calls in the user's own forward, else of their construction."""
    calls = [location(layer.get("call_at")) for layer in layers[:-1]]
    made = [location(layer.get("at")) for layer in layers]
    return list(dict.fromkeys(place for place in [*calls, *made] if place is not None))
