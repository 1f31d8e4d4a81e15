"""The cause `graph-detached`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import (
    DECISIVE,
    MODERATE,
    STRONG,
    Cue,
    Fact,
    Finding,
    Rule,
    fired,
    missing,
    silent,
)
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.rules.wording import UNCHANGED, WHATEVER_RATE
from diagnoser.schema import Location

MIN_WALKED = 3
CUTTING = frozenset({"detach", "numpy"})
"""Exits that hand the values on; item, tolist and argmax mostly serve metrics."""


class GraphDetached(Rule):
    """The graph between the loss and a part of the model is cut, so that part gets no gradient.

    What it detects:
        Parameters that an optimizer holds get no gradient in any backward call looked at and never
        change, although their module ran; the value it made left the graph (detach, NumPy, no_grad,
        a new tensor) on the way to the loss. Or the loss itself is a new leaf.
    Why it breaks training:
        backward ends at the cut: everything before it keeps its initial weights.
    Evidence:
        parameters.reach (never reached, held, unchanged; graphs that start at new tensors),
        graph.cut (the exit and how many parameters were behind it), loss.backward (a loss that is
        a leaf).
    Example:
        z = torch.from_numpy(normalise(encoder(x).detach().numpy()))
    Use instead:
        z = normalise_with_torch(encoder(x))
    Can be confused with:
        A target network, a frozen backbone or a head that is not used on purpose (not held by the
        optimizer, loaded, or updated by hand).
    Verify:
        After backward, print [n for n, p in model.named_parameters() if p.grad is None].
    Prevent:
        Keep the training path in torch operations; assert that each parameter has a gradient after
        the first backward.
    References:
        PyTorch documentation, "Autograd mechanics".
    """

    slug: ClassVar[str] = "graph-detached"
    title: ClassVar[str] = "The graph is cut between the loss and the parameters"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -4,
        "underfitting": -6,
        "loss-plateaus": -7,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 5),
        Cue(WHATEVER_RATE, 2),
        Cue(
            r"detach|\.data\b|\.item\(|\.numpy\(|only the (last|final|head)|(last|"
            r"final) layer (only )?(learns|trains)|encoder .{0,40}(random|nothing|not)|"
            r"straight.?through|argmax",
            8,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("parameters.reach", "graph.cut", "loss.backward")
    fix_summary: ClassVar[str] = "Keep the value in the graph: use torch operations up to the loss"
    prevention: ClassVar[str] = (
        "Assert after the first backward that every parameter of the optimizer has a gradient."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        reach = examination.last("parameters.reach")
        if reach is None or int(reach.data.get("walked", 0)) < MIN_WALKED:
            return [missing("fewer than three backward graphs were looked at")]
        leaf = self._leaf_loss(examination)
        if leaf is not None:
            return [leaf]
        rows = [row for row in reach.data.get("rows", ()) if self._is_unreached(row)]
        if not rows:
            return [silent("some loss reaches every parameter that an optimizer holds")]
        wrapped = self._wrapped_anew(examination, reach, rows)
        if wrapped is not None:
            return [wrapped]
        ids = {row["id"] for row in rows}
        for cut in examination.of("graph.cut"):
            behind = ids & set(cut.data.get("ids", ()))
            if behind:
                strong = cut.data["function"] in CUTTING
                what = self._names([row for row in rows if row["id"] in behind])
                note = (
                    f"{cut.data['function']}() on a {shape_text(cut.data['shape'])} value cuts the "
                    f"graph{self._at(cut.at)}: {what} never get a gradient and never change"
                )
                fact = Fact("graph.cut", note, cut.at, cut.step)
                weight = DECISIVE if strong else MODERATE
                return [fired(weight, fact, note, places=[cut.at], direct=strong)]
        blind = [row for row in rows if (row.get("ran") or {}).get("grad") is False]
        if blind:
            place = location(blind[0]["ran"].get("at"))
            note = (
                f"{self._names(blind)} run with gradients switched off{self._at(place)} in every "
                f"training step, although the optimizer holds them"
            )
            fact = Fact("parameters.reach", note, place, reach.step)
            return [fired(STRONG, fact, note, places=[place], direct=True)]
        ran = [row for row in rows if (row.get("ran") or {}).get("differentiable")]
        if ran:
            place = location(ran[0]["ran"].get("at"))
            note = f"{self._names(ran)} run in training, but no loss reaches them"
            fact = Fact("parameters.reach", note, place, reach.step)
            return [fired(MODERATE, fact, note, places=[place])]
        return [silent("parameters without gradient belong to modules that did not run")]

    def _wrapped_anew(
        self, examination: Examination, reach: Record, rows: list[Mapping[str, Any]]
    ) -> Finding | None:
        """Every loss starts at a tensor made in that very step: values were copied into it."""
        walked, fresh = int(reach.data["walked"]), int(reach.data.get("fresh_only", 0))
        if fresh < walked:
            return None
        shapes = [list(shape) for shape in reach.data.get("fresh_shapes", ())]
        made = [
            record
            for record in examination.of("tensor.origin")
            if list((record.data.get("result") or {}).get("shape", ())) in shapes
        ]
        made.sort(key=lambda record: not (record.data.get("result") or {}).get("requires_grad"))
        losses = examination.of("loss.backward")
        place = made[0].at if made else (losses[0].at if losses else None)
        note = (
            f"In all {walked} backward calls looked at, the loss's graph starts at a tensor made "
            f"in that step{self._at(made[0].at if made else None)}, not at a parameter: "
            f"{self._names(rows)} never get a gradient"
        )
        fact = Fact("parameters.reach", note, place, reach.step)
        places = [place, *(record.at for record in losses[:1])]
        return fired(DECISIVE, fact, note, places=places, direct=True)

    @staticmethod
    def _is_unreached(row: Mapping[str, Any]) -> bool:
        return bool(
            row.get("held")
            and row.get("requires_grad")
            and not row.get("reached")
            and not row.get("changed")
            and not row.get("loaded")
        )

    @staticmethod
    def _names(rows: list[Mapping[str, Any]]) -> str:
        first = rows[0]
        name = first.get("name") or shape_text(first.get("shape"))
        if len(rows) == 1:
            return f"the parameter {name}"
        return f"{len(rows)} parameters ({name} …)"

    @staticmethod
    def _at(place: Location | None) -> str:
        return f" at {place_text(place)}" if place is not None else ""

    @staticmethod
    def _leaf_loss(examination: Examination) -> Finding | None:
        losses = examination.of("loss.backward")
        leaves = [record for record in losses if record.data.get("leaf")]
        if len(leaves) < MIN_WALKED or len(leaves) < len(losses):
            return None
        place = leaves[0].at
        note = (
            "The loss on which backward is called is a new tensor without a graph"
            f" ({len(leaves)} of {len(losses)} backward calls looked at): no parameter gets a"
            " gradient"
        )
        fact = Fact("loss.backward", note, place, leaves[0].step)
        made = [
            record.at
            for record in examination.of("tensor.origin")
            if record.at is not None
            and place is not None
            and record.at.file == place.file
            and record.data.get("function") in ("tensor", "as_tensor")
            and (record.data.get("result") or {}).get("requires_grad")
        ]
        return fired(DECISIVE, fact, note, places=[*made[:1], place], direct=True)
