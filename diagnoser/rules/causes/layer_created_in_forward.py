"""The cause `layer-created-in-forward`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, STRONG, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.crash import Crash
from diagnoser.rules.examination import Examination, location
from diagnoser.rules.readings import place_text, shape_text
from diagnoser.rules.symptoms import DEVICE_ERROR

MIN_FRESH = 3
"""Backward calls with a new layer; a single one may be a lazy construction."""
MIN_SHARE = 0.8
CONSTRUCTED_AND_CALLED = (
    r"\bnn\.(?P<layer>Linear|Bilinear|Embedding\w*|(?:Lazy)?Conv\w+|\w+Norm\w*|PReLU|LSTM|GRU|RNN|"
    r"Multihead\w+|Transformer\w+)\((?:[^()]|\([^()]*\))*\)\s*\("
)


class LayerCreatedInForward(Rule):
    """A layer is constructed in each forward, so it is new, untrained and unmoved at each call.

    What it detects:
        The loss reaches parameters that a module has registered in that very step, in step after
        step, and that no optimizer holds.
    Why it breaks training:
        The layer is a fresh random map each time: the rest of the model cannot learn to use it, the
        same input gives another output, and a `.to(device)` before training never reaches it.
    Evidence:
        parameters.fresh: backward calls that reach new parameters, with the class and the line that
        constructs them.
    Example:
        def forward(self, x):
            return self.out(torch.relu(nn.Linear(16, 24)(x)))
    Use instead:
        def __init__(self):
            self.project = nn.Linear(16, 24)

        def forward(self, x):
            return self.out(torch.relu(self.project(x)))
    Can be confused with:
        Layers without parameters (activations, losses), which may be made anywhere; weights that
        another network makes; a perturbation that is optimised within the step.
    Verify:
        Call the model twice in eval() on the same input: the outputs must be equal.
    Prevent:
        Construct every layer with parameters in __init__.
    References:
        PyTorch documentation, torch.nn.Module.
    """

    slug: ClassVar[str] = "layer-created-in-forward"
    title: ClassVar[str] = "A layer is constructed anew in each forward"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -6,
        "underfitting": -7,
        "inconsistent": -6,
        "loss-plateaus": -8,
        "device-mismatch": -8,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"nn\.\w+\([^)]*\)\([^)]*\)|(layer|linear|conv\w*|batch.?norm\w*|"
            r"embedding) .{0,30}(in|inside|within) (the )?forward|created? in forward",
            10,
        ),
        Cue(r"same input .{0,40}different (output|result)", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("parameters.fresh", "exception.raised")
    fix_summary: ClassVar[str] = "Construct the layer once in __init__ and call it in forward"
    prevention: ClassVar[str] = (
        "Construct every layer with parameters in __init__; test that two calls of the model in "
        "eval() give equal outputs."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        crashed = self._crashed_at_once(examination)
        if crashed is not None:
            return [crashed]
        record = examination.last("parameters.fresh")
        if record is None or int(record.data.get("looked", 0)) < MIN_FRESH:
            return [missing("fewer than four backward calls were looked at")]
        looked, fresh = int(record.data["looked"]), int(record.data.get("fresh", 0))
        sites = record.data.get("sites", ())
        if fresh < MIN_FRESH or fresh < MIN_SHARE * looked or not sites:
            return [silent("the parameters that the loss reaches are the same in each step")]
        places = [location(entry) for entry in sites[0].get("stack", ())]
        place = places[0] if places else None
        parameters = ", ".join(
            f"{name} {shape_text(shape)}" for name, shape in sites[0]["parameters"][:3]
        )
        note = (
            f"In {fresh} of {looked} backward calls looked at, the loss reaches a "
            f"{sites[0]['class']} ({parameters}) that was constructed in that step at "
            f"{place_text(place)} and that no optimizer holds"
        )
        fact = Fact("parameters.fresh", note, place, record.step, dict(record.data))
        return [fired(DECISIVE, fact, note, places=places, direct=True)]

    @staticmethod
    def _crashed_at_once(examination: Examination) -> Finding | None:
        """A device error at a line that constructs a layer and calls it in one expression."""
        raised = examination.last("exception.raised")
        if raised is None or not re.search(DEVICE_ERROR, str(raised.data.get("message"))):
            return None
        crash = Crash(raised, examination)
        found = re.search(CONSTRUCTED_AND_CALLED, crash.code)
        if found is None:
            return None
        note = (
            f"{place_text(crash.at)} constructs a {found['layer']} on the CPU in each forward and "
            f"calls it at once: no .to(device) reaches it"
        )
        fact = Fact("exception.raised", note, crash.at, raised.step)
        return fired(DECISIVE + STRONG, fact, note, places=[crash.at], direct=True)
