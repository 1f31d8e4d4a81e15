"""Well-typed records that no honest run would write, made from real ones.

Every value may be replaced by another of its own JSON type: numbers by zero, huge, negative or not
finite ones, texts by any text, lists by shorter, longer or empty ones. A value becomes None, or a
key goes missing, only where real records of that kind show it; places, which are None where no
frame was the user's, always may.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from diagnoser.rules.examination import ArmOutcome, Examination, parse_records
from diagnoser.rules.registry import all_rules
from diagnoser.rules.symptoms import SYMPTOMS

KEYED_BY_NAME = frozenset({"tensors", "held", "parameters"})
"""Fields that map names of the user's to facts; any of them may be absent."""

FLOATS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, math.nan, math.inf, -math.inf, 5e-324, 1e308, -1e308]),
    st.floats(),
)
COUNTS = st.one_of(st.sampled_from([0, 1, 2, 3, 10**12]), st.integers(0, 10**6))
TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["", "\x1b[31m", "[bold]x[/bold]", "mse_loss", "cross_entropy", "nan"]),
)


@dataclass
class Shape:
    """What real records show of one field, by its path from the kind on."""

    optional: set[str] = field(default_factory=set)
    nullable: set[str] = field(default_factory=set)


def learn(records: Sequence[Mapping[str, Any]]) -> Shape:
    """Which keys are sometimes missing and which values are sometimes None."""
    seen: dict[str, list[set[str]]] = {}
    shape = Shape()

    def visit(value: Any, path: str) -> None:
        if value is None:
            shape.nullable.add(path)
        elif isinstance(value, Mapping):
            seen.setdefault(path, []).append(set(value))
            for key, item in value.items():
                visit(item, f"{path}/{key}")
        elif isinstance(value, list):
            for item in value:
                visit(item, f"{path}[]")

    for record in records:
        visit(record["data"], record["kind"])
    for path, keys in seen.items():
        for key in set().union(*keys):
            if not all(key in present for present in keys):
                shape.optional.add(f"{path}/{key}")
    return shape


def is_place(value: Any) -> bool:
    """Whether a value is a line of the user's source."""
    return isinstance(value, Mapping) and {"file", "line"} <= set(value) and len(value) <= 3


@dataclass(frozen=True)
class Site:
    """A value inside a record: what holds it, and under which key or index."""

    holder: Any
    key: Any
    path: str

    @property
    def value(self) -> Any:
        """What stands there now; None if an earlier change took it away."""
        if isinstance(self.holder, dict):
            return self.holder.get(self.key)
        return self.holder[self.key] if self.key < len(self.holder) else None

    def put(self, value: Any) -> None:
        """Write another value there."""
        if isinstance(self.holder, dict) or self.key < len(self.holder):
            self.holder[self.key] = value


def sites_of(records: Sequence[dict[str, Any]]) -> dict[str, list[Site]]:
    """All values of the records by their path from the kind on."""
    found: dict[str, list[Site]] = {}

    def visit(holder: Any, key: Any, path: str) -> None:
        found.setdefault(path, []).append(Site(holder, key, path))
        value = holder[key]
        if isinstance(value, dict):
            for name in value:
                visit(value, name, f"{path}/{name}")
        elif isinstance(value, list):
            for index in range(len(value)):
                visit(value, index, f"{path}[]")

    for record in records:
        for name in record["data"]:
            visit(record["data"], name, f"{record['kind']}/{name}")
        for name in ("at", "step"):
            visit(record, name, f"{record['kind']}:{name}")
    return found


def change(draw: st.DrawFn, site: Site, shape: Shape) -> None:
    """Replace one value by another of its type, by None, or take it away."""
    value = site.value
    parent, _, name = site.path.rpartition("/")
    absent = site.path in shape.optional or parent.rpartition("/")[2] in KEYED_BY_NAME
    if absent and isinstance(site.holder, dict) and draw(st.booleans()):
        site.holder.pop(site.key, None)
    elif (site.path in shape.nullable or is_place(value)) and draw(st.booleans()):
        site.put(None)
    elif isinstance(value, bool):
        site.put(not value)
    elif isinstance(value, list):
        site.put(draw(st.sampled_from([[], value[:1], value[1:], value + value])))
    elif isinstance(value, float):
        site.put(draw(FLOATS))
    elif isinstance(value, int):
        site.put(draw(COUNTS))
    elif isinstance(value, str) and name not in ("file", "dtype"):
        site.put(draw(TEXTS))


@st.composite
def examinations(draw: st.DrawFn, runs: Mapping[str, list[dict[str, Any]]]) -> Examination:
    """An examination of dropped, mixed and altered records of real runs."""
    shape = learn([record for records in runs.values() for record in records])
    records: list[dict[str, Any]] = []
    for name in draw(st.lists(st.sampled_from(sorted(runs)), min_size=1, max_size=2)):
        kinds = sorted({record["kind"] for record in runs[name]})
        dropped = draw(st.sets(st.sampled_from(kinds), max_size=len(kinds) // 2))
        left = [record for record in runs[name] if record["kind"] not in dropped]
        records += copy.deepcopy(thinned(left))
    sites = sites_of(records)
    for path in draw(st.lists(st.sampled_from(sorted(sites)), max_size=25)) if sites else ():
        everywhere = draw(st.booleans())
        chosen = sites[path] if everywhere else [draw(st.sampled_from(sites[path]))]
        for site in chosen[:6]:
            change(draw, site, shape)
    return Examination(
        records=parse_records(records),
        arms=draw(st.lists(arms(), max_size=3).map(tuple)),
        words=draw(TEXTS),
        asked=draw(st.lists(st.sampled_from([s.slug for s in SYMPTOMS]), max_size=3).map(tuple)),
        exit=draw(st.sampled_from([None, 0, 1, 137, -11])),
        stopped=draw(st.sampled_from(["finished", "crashed", "budget", "killed"])),
        ran=draw(st.booleans()),
        stdout=draw(TEXTS),
        sources=draw(st.dictionaries(st.sampled_from(places(records)), TEXTS, max_size=2)),
    )


def thinned(records: Sequence[dict[str, Any]], most: int = 4) -> list[dict[str, Any]]:
    """The first few records of each kind, but enough loss values for a curve."""
    counts: dict[str, int] = {}
    kept = []
    for record in records:
        kind = record["kind"]
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= (20 if kind == "loss.value" else most):
            kept.append(record)
    return kept


def places(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Files that the records name."""
    return sorted({r["at"]["file"] for r in records if r["at"]}) or ["/train.py"]


@st.composite
def arms(draw: st.DrawFn) -> ArmOutcome:
    """The outcome of a trial of some rule, in one of its strengths."""
    trials = [rule.trial for rule in all_rules() if rule.trial is not None]
    trial = draw(st.sampled_from(trials))
    params = draw(st.sampled_from([*trial.strengths, {"factor": 0.1}, {"factor": 100.0}]))
    return ArmOutcome(
        intervention=trial.intervention,
        params=dict(params),
        measure="last loss",
        plain=draw(st.lists(FLOATS, min_size=1, max_size=2).map(tuple)),
        changed=draw(st.lists(FLOATS, min_size=1, max_size=2).map(tuple)),
        replaced=draw(COUNTS),
        valid=draw(st.booleans()),
        removed_symptom=draw(st.booleans()),
        note="the loss ends at 0.1 instead of 2.3 (2 seeds)",
    )
