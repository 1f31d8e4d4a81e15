"""The stored types: frozen, strict, NaN and infinities as strings.

What `ask --json` prints is `Report`; its JSON Schema is generated from this module. The contract is
versioned by `SCHEMA`.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA = "diagnoser/1"

Status = Literal["diagnosed", "healthy", "inconclusive", "not-reproduced", "not-run"]
Presence = Literal["yes", "no", "not-seen"]
Grade = Literal["confirmed", "observed", "suspected", "refuted"]
Outcome = Literal["fired", "silent", "not-evaluated"]
Verified = Literal["verified", "symptom-remains", "broke-script", "not-run"]
Role = Literal["probe", "arm", "verify"]
Stopped = Literal["budget", "finished", "crashed", "killed"]
Sandbox = Literal["overlay", "landlock", "copy", "none"]


class Frozen(BaseModel):
    """Shared base: immutable, no unknown fields, non-finite floats written as strings."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="strings", defer_build=True
    )


class Location(Frozen):
    """A place in the user's source; `cell` counts a notebook's cells from 1."""

    file: str
    line: int
    cell: int | None = None
    code: str = ""


class Evidence(Frozen):
    """One measured fact, with the number in its summary."""

    id: str
    collector: str
    kind: str
    level: int = 2
    step: int = 0
    location: Location | None = None
    summary: str
    data: dict[str, Any] = Field(default_factory=dict)


class Finding(Frozen):
    """A rule's reading of the evidence: what it says for (or against) its cause, in decibans."""

    outcome: Outcome
    decibans: int = 0
    evidence: tuple[str, ...] = ()
    note: str = ""


class SymptomReading(Frozen):
    """Whether a symptom of the table is present."""

    slug: str
    category: str
    present: Presence
    note: str = ""


class Candidate(Frozen):
    """A cause with what speaks for it."""

    cause: str
    title: str
    category: str
    level: int
    grade: Grade
    confidence: float
    locations: tuple[Location, ...] = ()
    findings: tuple[Finding, ...] = ()


class Edit(Frozen):
    """An exact replacement of whole source lines, starting at `line`."""

    file: str
    line: int
    cell: int | None = None
    cause: str
    before: str
    after: str


class Fix(Frozen):
    """The change proposed, and what the re-run with it showed."""

    summary: str
    edits: tuple[Edit, ...] = ()
    diff: str = ""
    verified: Verified = "not-run"
    before: dict[str, float | str | None] = Field(default_factory=dict)
    after: dict[str, float | str | None] = Field(default_factory=dict)


class Diagnosis(Frozen):
    """The five parts of an answer."""

    diagnosis: str
    evidence: tuple[str, ...] = ()
    fix: Fix
    verification: str
    prevention: str
    source: Literal["rules", "model"] = "rules"


class Question(Frozen):
    """What was asked, about what."""

    symptom: str = ""
    expected: str = ""
    target: str | None = None
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = ()


class NotEvaluated(Frozen):
    """A cause that could not be judged, and what was missing."""

    cause: str
    missing: str


class RunSummary(Frozen):
    """One run of the script."""

    role: Role
    name: str
    rank: int = 0
    exit: int | None
    stopped: Stopped
    steps: int
    seconds: float


class Environment(Frozen):
    """What the script ran on."""

    python: str = ""
    torch: str = ""
    device: str = ""


class Provenance(Frozen):
    """Who answered: the rules, or a model with this prompt."""

    version: str
    model: str | None = None
    prompt: str | None = None
    tokens: int | None = None
    note: str | None = None
    """Why a model that was to be asked gave nothing, or what came of its change."""


class Seconds(Frozen):
    """Wall seconds by stage; `startup` is the interpreter's and the libraries' own."""

    audit: float = 0.0
    startup: float = 0.0
    probe: float = 0.0
    experiments: float = 0.0
    verify: float = 0.0
    llm: float = 0.0
    total: float = 0.0


class Report(Frozen):
    """The whole answer: what `ask --json` prints."""

    schema_: str = Field(default=SCHEMA, alias="schema")
    status: Status
    question: Question
    symptoms: tuple[SymptomReading, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    diagnosis: Diagnosis | None = None
    not_evaluated: tuple[NotEvaluated, ...] = ()
    runs: tuple[RunSummary, ...] = ()
    sandbox: Sandbox = "none"
    environment: Environment = Environment()
    collector_failures: tuple[str, ...] = ()
    provenance: Provenance
    seconds: Seconds = Seconds()

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        ser_json_inf_nan="strings",
        defer_build=True,
        populate_by_name=True,
    )
