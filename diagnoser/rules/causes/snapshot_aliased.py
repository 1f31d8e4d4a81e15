"""The cause `snapshot-aliased`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, Source, fired, missing, silent
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_edits import replace_once
from diagnoser.rules.source_search import lines_matching
from diagnoser.schema import Edit

STATE = r"(?<![\w.])[\w.\[\]]+\.state_dict\(\)"
KEPT = STATE + r"(?!\s*\))"


class SnapshotAliased(Rule):
    """The "best" weights are a reference that goes on training, not a copy.

    What it detects:
        A state dict is loaded whose tensors share their storage with the model's own parameters.
    Why it breaks training:
        state_dict() copies nothing: by the time the best weights are restored they are the last
        ones.
    Evidence:
        state.aliased: tensors of the loaded state that are the parameters themselves.
    Example:
        best = model.state_dict()
    Use instead:
        best = copy.deepcopy(model.state_dict())
    Can be confused with:
        A state that was copied or read from a file (shares nothing: silent).
    Verify:
        Compare best["weight"].data_ptr() with the parameter's.
    Prevent:
        Keep best weights by copy.deepcopy or in a file.
    References:
        PyTorch documentation, "Saving and Loading Models", on keeping the best state.
    """

    slug: ClassVar[str] = "snapshot-aliased"
    title: ClassVar[str] = "The kept weights are a reference, not a copy"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"overfitting": -6, "inconsistent": -7, "underfitting": -9}
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"best (weights|model|state|epoch|checkpoint)|restor\w+|early stopping|snapshot", 8),
    )
    needs: ClassVar[tuple[str, ...]] = ("state.aliased", "state.loaded")
    judged_by_loss: ClassVar[bool] = False
    fix_summary: ClassVar[str] = "Keep a deep copy of the state"
    prevention: ClassVar[str] = "Keep best weights by copy.deepcopy or in a file."

    def weigh(self, examination: Examination) -> list[Finding]:
        loads = examination.last("state.loaded")
        if loads is None or not int(loads.data.get("loads", 0)):
            return [missing("no state was loaded")]
        aliased = examination.of("state.aliased")
        if not aliased:
            return [silent("no loaded state shares its tensors with the model")]
        record = aliased[0]
        note = (
            f"load_state_dict at {place_text(record.at)} restores {record.data['shared']} of "
            f"{record.data['tensors']} tensors that are the model's own parameters, after "
            f"{record.data['updates']} updates: it changes nothing"
        )
        kept = [
            place
            for place in lines_matching(examination.sources, KEPT)
            if "load_state_dict" not in examination.line(place)
        ]
        fact = Fact("state.aliased", note, record.at, record.step, dict(record.data))
        return [fired(DECISIVE, fact, note, places=[*kept[:2], record.at], direct=True)]

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        direct = [finding for finding in findings if finding.direct and finding.places]
        if not direct:
            return []
        place = direct[0].places[0]
        found = re.search(STATE, source.line(place.file, place.line))
        if found is None:
            return []
        copied = f"{{name: value.clone() for name, value in {found[0]}.items()}}"
        edit = replace_once(source, place, STATE, copied, self.slug)
        return [edit] if edit is not None else []
