"""The cause `unregistered-parameters`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from diagnoser.rules.base import DECISIVE, Cue, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination, Record, location
from diagnoser.rules.readings import shape_text
from diagnoser.rules.source_lines import lines_of
from diagnoser.schema import Location


class UnregisteredParameters(Rule):
    """Layers or tensors live in a plain list, dict or attribute, where parameters() misses them.

    What it detects:
        The loss reaches trainable tensors that a module holds outside its registered parameters
        and submodules; no optimizer holds them and they never change.
    Why it breaks training:
        parameters(), to(), train(), state_dict() all pass them by: that part stays random.
    Evidence:
        parameters.reach: leaves of the graph found in a container of a module and not in
        named_parameters(). An optimizer that got an empty parameter list is the same fault.
    Example:
        self.layers = [nn.Linear(8, 8) for _ in range(3)]
    Use instead:
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))
    Can be confused with:
        A frozen teacher kept out of the module on purpose (no loss reaches it); lists whose
        parameters are handed to the optimizer by name (held: silent).
    Verify:
        print([name for name, _ in model.named_parameters()])
    Prevent:
        Use ModuleList, ModuleDict, ParameterList, nn.Parameter or register_buffer.
    References:
        PyTorch documentation, torch.nn.ModuleList.
    """

    slug: ClassVar[str] = "unregistered-parameters"
    title: ClassVar[str] = "Parameters are not registered with their module"
    category: ClassVar[str] = "not learning"
    level: ClassVar[int] = 2
    prior: ClassVar[Mapping[str, int]] = {
        "loss-flat": -5,
        "underfitting": -5,
        "loss-plateaus": -6,
        "crash": -10,
    }
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(
            r"(python|plain|normal|ordinary|simple) (list|dict)|list of (layers|"
            r"modules|convs|linears|nn)|in a (list|dict|tuple)\b|self\.\w+ = \[|"
            r"modulelist|number of (layers|parameters) is (too )?(small|low|0)",
            14,
        ),
    )
    needs: ClassVar[tuple[str, ...]] = ("parameters.reach", "exception.raised")
    fix_summary: ClassVar[str] = (
        "Register them: nn.ModuleList / nn.ModuleDict instead of list / dict, nn.Parameter instead "
        "of a plain tensor"
    )
    prevention: ClassVar[str] = (
        "Hold submodules in nn.ModuleList or nn.ModuleDict, and assert the number of parameters "
        "that model.parameters() finds."
    )

    def weigh(self, examination: Examination) -> list[Finding]:
        crash = self._empty_list(examination)
        if crash is not None:
            return [crash]
        reaches = examination.of("parameters.reach")
        if not reaches:
            return [missing("no backward graph was seen")]
        for reach in reaches:
            rows = [row for row in reach.data.get("rows", ()) if self._is_loose(row)]
            if rows:
                return [self._read(examination, reach, rows)]
        return [silent("every trainable tensor that the loss reaches is registered or held")]

    @staticmethod
    def _is_loose(row: Mapping[str, Any]) -> bool:
        return bool(
            row.get("reached")
            and row.get("registered") is False
            and not row.get("ever_held")
            and not row.get("changed")
        )

    def _read(
        self, examination: Examination, reach: Record, rows: list[Mapping[str, Any]]
    ) -> Finding:
        names = ", ".join(f"{row['name']} {shape_text(row.get('shape'))}" for row in rows[:3])
        more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
        note = (
            f"The loss reaches {len(rows)} trainable tensors of {rows[0]['root']} that "
            f"parameters() does not find and no optimizer moves: {names}{more}"
        )
        site = location(rows[0].get("site"))
        places = [self._assignment(examination, str(rows[0]["name"]), site), site]
        fact = Fact("parameters.reach", note, places[0] or site, reach.step, {"loose": len(rows)})
        return fired(DECISIVE, fact, note, places=places, direct=True)

    @staticmethod
    def _assignment(examination: Examination, path: str, near: Location | None) -> Location | None:
        """The line that creates the attribute which holds the tensor, near where it was made."""
        attribute = re.split(r"[.\[]", path)[0]
        parts = re.findall(r"(?:^|\.)([A-Za-z_]\w*)(?=\[|$)", path)
        for name in (*parts[:1], attribute):
            pattern = re.compile(rf"\bself\.{re.escape(name)}\b(\s*:[^=]+)?\s*=[^=]")
            found = [
                Location(file=file, line=index)
                for file, text in examination.sources.items()
                for index, line in enumerate(lines_of(text), 1)
                if pattern.search(line) and (near is None or near.file == file)
            ]
            if found and near is not None:
                return min(found, key=lambda place: abs(place.line - near.line))
            if found:
                return found[0]
        return None

    @staticmethod
    def _empty_list(examination: Examination) -> Finding | None:
        raised = examination.last("exception.raised")
        if raised is None or "empty parameter list" not in str(raised.data.get("message")):
            return None
        frames: Sequence[Mapping[str, Any]] = raised.data.get("frames", ())
        for frame in frames:
            for name, held in (frame.get("held") or {}).items():
                loose = held.get("unregistered") or ()
                if loose and not held.get("registered"):
                    note = (
                        f"The optimizer got an empty list: {name} ({held['class']}) has 0 "
                        f"registered parameters, but holds {len(loose)} outside, "
                        f"such as {loose[0]['path']}"
                    )
                    place = location(loose[0].get("site"))
                    fact = Fact("exception.raised", note, raised.at)
                    return fired(DECISIVE, fact, note, places=[place, raised.at], direct=True)
        return None
