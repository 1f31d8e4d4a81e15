"""The cause `init-undone`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import place_text

DELIBERATE = frozenset({"copy_", "load_state_dict", "orthogonal_", "eye_", "dirac_"})
"""Writers whose values carry a plan; another random draw over a random draw changes little."""
RANDOM = frozenset(
    {"normal_", "uniform_", "trunc_normal_", "sparse_"}
    | {"xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"}
)


class InitUndone(Rule):
    """A deliberate initialisation is overwritten before the first update.

    What it detects:
        Values that the script copied, loaded or constructed (orthogonal, identity) into parameters,
        every one of which a random initialiser writes over before the first optimizer step; or
        values written to a weight that a weight norm computes anew in each forward.
    Why it breaks training:
        The run starts from other weights than the script means: pretrained values are lost, deep
        or recurrent nets lose the scale that makes them trainable.
    Evidence:
        parameters.overwritten: both writers with their lines, and how many parameters each wrote.
    Example:
        model.embedding.weight.data.copy_(vectors)
        model.apply(init_weights)
    Use instead:
        model.apply(init_weights)
        model.embedding.weight.data.copy_(vectors)
    Can be confused with:
        A general initialisation that special layers then refine; a checkpoint of which only the
        head is drawn anew (not all of its values are lost: silent).
    Verify:
        Compare the parameter right before the first step with the values that were meant.
    Prevent:
        Initialise generally first and specially last; assert on the values before training.
    References:
        PyTorch documentation, torch.nn.init and torch.nn.utils.parametrizations.weight_norm.
    """

    slug: ClassVar[str] = "init-undone"
    title: ClassVar[str] = "A deliberate initialisation is overwritten"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -8,
        "underfitting": -8,
        "overfitting": -9,
        "loss-plateaus": -9,
        "loss-explodes": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(pre.?trained|loaded|glove|word2vec).{0,80}(random|no better|"
            r"like untrained|coin)|init\w* .{0,30}(over|twice|reset|apply)",
            6,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("parameters.overwritten", "parameters.written")
    fix_summary: ClassVar[str] = "Initialise generally first, and write the special values last"
    prevention: ClassVar[str] = (
        "Initialise generally first and specially last, and assert on the special values right "
        "before training."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        if examination.last("parameters.written") is None:
            return [missing("no update followed the initialisation")]
        findings = []
        for record in examination.of("parameters.overwritten"):
            data = record.data
            if data.get("recomputed_by"):
                findings.append(self._recomputed(record))
            elif data.get("function") in DELIBERATE and data.get("by") in RANDOM:
                findings.append(self._overwritten(record))
        return findings or [silent("no deliberate initialisation was overwritten")]

    @staticmethod
    def _recomputed(record: Record) -> Finding:
        note = (
            f"{record.data['function']} at {place_text(record.at)} writes to the weight of a "
            f"{record.data['recomputed_by']} that its weight norm computes anew in each forward"
        )
        fact = Fact("parameters.overwritten", note, record.at, record.step, dict(record.data))
        return fired(STRONG, fact, note, places=[record.at], direct=True)

    @staticmethod
    def _overwritten(record: Record) -> Finding:
        data = record.data
        by = location(data.get("by_line"))
        common, early = location(data.get("common")), location(data.get("line"))
        names = ", ".join(data.get("names", ())[:3])
        note = (
            f"{data['function']} at {place_text(early)} wrote {data['count']} parameters "
            f"({names}); {data['by']} at {place_text(by)} wrote over all of them before the "
            "first update"
        )
        fact = Fact("parameters.overwritten", note, by, record.step, dict(data))
        return fired(DECISIVE, fact, note, places=[common, by, early], direct=True)
