"""The cause `hidden-state-leaks`."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import ClassVar

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
from diagnoser.rules.examination import Examination, Record, location, number
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_edits import insert_before
from diagnoser.schema import Edit


class HiddenStateLeaks(Rule):
    """A recurrent layer starts each batch from the state in which an unrelated batch ended.

    What it detects:
        The initial state of a recurrent layer equals the final state of the training call before
        it, and the two batches were drawn at random.
    Why it breaks training:
        Row i continues the sequence of another sample: the start of each sequence is noise that
        depends on the order of the batches.
    Evidence:
        recurrent.state: whether the initial state is the last call's final state, its size, and how
        the two batches were drawn (shuffling loader, index in random order).
    Example:
        for x, y in loader:
            out, state = model(x, state)
            state = state.detach()
    Use instead:
        for x, y in loader:
            out, _ = model(x, None)
    Can be confused with:
        Stateful training on one long series in order, and truncated backpropagation over pieces of
        the same batch, where the state belongs to what follows.
    Verify:
        The output for a sample must not depend on which batch came before.
    Prevent:
        Start every batch of shuffled sequences with a fresh state inside forward.
    References:
        PyTorch documentation, torch.nn.LSTM (h_0 defaults to zeros); Keras guide, "Stateful RNNs".
    """

    slug: ClassVar[str] = "hidden-state-leaks"
    title: ClassVar[str] = "The hidden state carries over between unrelated batches"
    category: ClassVar[str] = "evaluation"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-plateaus": -6,
        "loss-flat": -8,
        "underfitting": -7,
        "inconsistent": -5,
        "loss-swings": -8,
        "overfitting": -9,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"hidden state|(lstm|gru|rnn).{0,60}state|state.{0,40}(lstm|gru|rnn)", 6),
        Cue(r"order of (the )?batches", 6),
    )
    needs: ClassVar[tuple[str, ...]] = ("recurrent.state",)
    fix_summary: ClassVar[str] = "Start each batch with a fresh hidden state"
    prevention: ClassVar[str] = (
        "Start every batch of shuffled sequences with a fresh state inside forward."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        records = examination.of("recurrent.state")
        if not records:
            return [missing("no recurrent layer was called twice in training")]
        carried = [record for record in records if record.data.get("carried")]
        leaked = [record for record in carried if record.data.get("unrelated")]
        if leaked:
            return [self._read(leaked[0], len(leaked))]
        first = records[0]
        layer = f"{first.data.get('class')} {first.data.get('layer')}".strip()
        if carried and all(
            not record.data.get("same_draw") and int(record.data.get("rows", 0)) > 1
            for record in carried
        ):
            note = (
                f"{layer} starts from the state in which the batch before ended; whether this "
                f"batch continues that one could not be seen"
            )
            place = location(carried[0].data.get("given_at"))
            return [fired(WEAK, Fact("recurrent.state", note, place), note, places=[place])]
        text = (
            f"{layer} starts each training call from a {first.data.get('start')} state that is not "
            f"the last call's"
            if not carried
            else f"{layer} carries its state within one series or batch"
        )
        place = location(first.data.get("layer_at"))
        return [silent(text, facts=[Fact("recurrent.state", text, place)])]

    @staticmethod
    def _read(record: Record, calls: int) -> Finding:
        data = record.data
        given, layer = location(data.get("given_at")), location(data.get("layer_at"))
        note = (
            f"The {data.get('class')} at {place_text(layer)} starts from the state in which the "
            f"batch before ended (root mean square {number(data.get('norm')):.3g}, {calls} calls "
            f"looked at), but the samples are drawn by {data.get('how')}, so row by row they are "
            f"other sequences"
        )
        fact = Fact("recurrent.state", note, given, record.step, dict(data))
        places = [given, record.at, layer]
        return fired(DECISIVE, fact, note, places=places, direct=True)

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if not finding.direct or not finding.places:
                continue
            place = finding.places[0]
            line = source.line(place.file, place.line)
            name = _state_name(line.strip())
            text = source.text(place.file) or ""
            if name is None or (f"{name} = None" not in text and f"{name}=None" not in text):
                continue
            edit = insert_before(source, place, f"{name} = None", self.slug)
            if edit is not None:
                return [edit]
        return []


def _state_name(line: str) -> str | None:
    """The name that a line such as `out, state = model(x, state)` both passes and receives."""
    try:
        body = ast.parse(line).body
    except (SyntaxError, ValueError):
        return None
    if len(body) != 1 or not isinstance(body[0], ast.Assign):
        return None
    statement = body[0]
    received = {node.id for target in statement.targets for node in _names(target)}
    passed = {
        argument.id
        for call in ast.walk(statement.value)
        if isinstance(call, ast.Call)
        for argument in call.args
        if isinstance(argument, ast.Name)
    }
    both = received & passed
    return both.pop() if len(both) == 1 else None


def _names(target: ast.expr) -> list[ast.Name]:
    return [node for node in ast.walk(target) if isinstance(node, ast.Name)]
