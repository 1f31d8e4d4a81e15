"""The cause `eval-builds-graph`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import STRONG, WEAK, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record
from diagnoser.rules.readings import place_text

HEAVY = 2
"""Rows of an evaluation call over those of a training call from which its graph is a burden."""
MIN_UNUSED = 2
"""Calls whose graph no backward call used; a single one may be a look at the model."""


class EvalBuildsGraph(Rule):
    """Evaluation runs with gradients switched on and keeps activations for nothing.

    What it detects:
        Calls of the trained model in grad mode from a line whose outputs no backward call uses.
    Why it breaks training:
        Each such call stores all activations for a backward that never comes: evaluation needs a
        multiple of its memory, and time to build the graph.
    Evidence:
        mode.calls: calls by line, with grad mode, and how many a backward call used (none).
    Example:
        def validate(model, x, y):
            return criterion(model(x), y).item()
    Use instead:
        @torch.no_grad()
        def validate(model, x, y):
            return criterion(model(x), y).item()
    Can be confused with:
        A forward that another loss uses later; a penalty on gradients.
    Verify:
        Print torch.is_grad_enabled() in the evaluation.
    Prevent:
        Decorate evaluation functions with torch.no_grad() or torch.inference_mode().
    References:
        PyTorch documentation, "Autograd mechanics", locally disabling gradient computation.
    """

    slug: ClassVar[str] = "eval-builds-graph"
    title: ClassVar[str] = "Evaluation builds a graph"
    category: ClassVar[str] = "memory"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"out-of-memory": -3, "slow": -6}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"(in|during) (the )?(validation|evaluation|test)|validation (batch|part|step)", 8),
    )
    needs: ClassVar[tuple[str, ...]] = ("mode.calls",)
    fix_summary: ClassVar[str] = "Evaluate under torch.no_grad() or torch.inference_mode()"
    prevention: ClassVar[str] = (
        "Decorate evaluation functions with torch.no_grad() or torch.inference_mode()."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        calls = examination.of("mode.calls")
        if not calls:
            return [missing("no call of a model was seen")]
        found = [record for record in calls if self._is_wasted(record)]
        if not found:
            return [silent("each graph that is built is used")]
        record = max(found, key=lambda r: int(r.data["unused"]))
        data = record.data
        note = (
            f"{data['class']} is called with gradients on at {place_text(record.at)} "
            f"{data['calls']} times, and no backward call uses what comes out"
        )
        fact = Fact("mode.calls", note, record.at, record.step, dict(data))
        asked = bool({"out-of-memory", "slow"} & set(examination.asked))
        trained = max((_rows(r) for r in calls if int(r.data.get("used", 0))), default=0)
        heavy = asked and _rows(record) >= HEAVY * max(trained, 1)
        return [fired(STRONG if heavy else WEAK, fact, note, places=[record.at], direct=heavy)]

    @staticmethod
    def _is_wasted(record: Record) -> bool:
        data = record.data
        return bool(
            data.get("grad")
            and data.get("trained")
            and not int(data.get("used", 0))
            and not int(data.get("feeds", 0))
            and int(data.get("unused", 0)) >= MIN_UNUSED
        )


def _rows(record: Record) -> int:
    """Rows of the first input of a call."""
    batch = record.data.get("batch") or [0]
    return int(batch[0])
