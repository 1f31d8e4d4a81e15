"""The cause `optimizer-wrong-parameters`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from diagnoser.rules.base import DECISIVE, STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import last_by_place, shape_text
from diagnoser.rules.wording import UNCHANGED, WEIGHTS_STAY, WHATEVER_RATE

MIN_WALKED = 2
"""Backward graphs that must have been compared with the optimizer's groups."""


class OptimizerWrongParameters(Rule):
    """The optimizer holds other parameters than those that the loss reaches.

    What it detects:
        Parameters of a registered model get gradients, no optimizer has ever held them and they
        never change: the optimizer holds an old or another object's parameters, or only some.
    Why it breaks training:
        What the loss asks to change is not what the optimizer moves.
    Evidence:
        parameters.reach: the leaves of the loss's graph against the optimizers' groups, by
        identity. optimizer.summary: parameters held that no loss reaches. Parameters that were
        loaded from a checkpoint or trained earlier in the run are left out on purpose.
    Example:
        optimizer = torch.optim.Adam(model.parameters())
        model = build()
    Use instead:
        model = build()
        optimizer = torch.optim.Adam(model.parameters())
    Can be confused with:
        unregistered-parameters (parameters() itself misses them); fine-tuning a head on a loaded
        backbone; a critic or discriminator that another optimizer trains.
    Verify:
        Compare {id(p) for p in model.parameters()} with the ids in optimizer.param_groups.
    Prevent:
        Build the optimizer right after the model, in the same function.
    References:
        PyTorch documentation, torch.optim, "Constructing it".
    """

    slug: ClassVar[str] = "optimizer-wrong-parameters"
    title: ClassVar[str] = "The optimizer does not hold what the loss reaches"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -4,
        "underfitting": -5,
        "loss-plateaus": -6,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(UNCHANGED, 6),
        Cue(WHATEVER_RATE, 2),
        Cue(WEIGHTS_STAY, 6),
        Cue(
            r"(new|second|re-?creat\w+|re-?load\w*|rebuil\w+|deepcop\w+|"
            r"copy of the) (model|net)|optimi[sz]er .{0,30}(before|old)|second run|"
            r"restart",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("parameters.reach", "optimizer.summary")
    fix_summary: ClassVar[str] = (
        "Construct the optimizer from the parameters of the model that is trained, after the model"
    )
    prevention: ClassVar[str] = (
        "Build the optimizer right after the model and assert that its parameter ids are those of "
        "model.parameters()."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        reaches = [
            record
            for record in examination.of("parameters.reach")
            if int(record.data.get("walked", 0)) >= MIN_WALKED
        ]
        optimizers = [
            record
            for record in last_by_place(examination, "optimizer.summary")
            if int(record.data.get("updates", 0)) > 0
        ]
        if not reaches or not optimizers:
            return [missing("no backward graph was compared with an optimizer")]
        findings = []
        for reach in reaches:
            left_out = self._left_out(reach)
            if left_out:
                findings.append(self._read(reach, left_out, optimizers))
                break
        return findings or [silent("an optimizer holds every parameter that the loss reaches")]

    @staticmethod
    def _left_out(reach: Record) -> list[Mapping[str, Any]]:
        return [
            row
            for row in reach.data.get("rows", ())
            if row.get("reached")
            and row.get("requires_grad")
            and row.get("parameter")
            and row.get("registered")
            and not row.get("ever_held")
            and not row.get("changed")
            and not row.get("loaded")
        ]

    @staticmethod
    def _read(
        reach: Record, left_out: list[Mapping[str, Any]], optimizers: list[Record]
    ) -> Finding:
        first = left_out[0]
        stale = [record for record in optimizers if int(record.data.get("orphans", 0)) > 0]
        holder = (stale or optimizers)[0]
        names = ", ".join(
            f"{row['name'] or 'a parameter'} {shape_text(row.get('shape'))}" for row in left_out[:3]
        )
        more = f" and {len(left_out) - 3} more" if len(left_out) > 3 else ""
        note = (
            f"The loss reaches {len(left_out)} parameters of {first['root']} that no optimizer "
            f"holds and that never change: {names}{more}"
        )
        if stale:
            note += (
                f"; {holder.data['class']} holds {holder.data['orphans']} parameters of an object "
                f"that is no longer used"
            )
        rebuilt = [
            location(site["rebuilt_at"])
            for row in left_out
            if (site := row.get("site")) and site.get("rebuilt_at")
        ]
        places = [*rebuilt[:1], holder.at, location(first.get("site"))]
        fact = Fact("parameters.reach", note, holder.at, reach.step, {"left_out": len(left_out)})
        return fired(
            DECISIVE if stale or rebuilt else STRONG, fact, note, places=places, direct=True
        )
