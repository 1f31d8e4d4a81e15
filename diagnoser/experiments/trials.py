"""Runs arms side by side on the runner, within the time that is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from diagnoser.experiments.judge import (
    ends_of,
    faster,
    removed,
    same_start,
    seconds_per_update,
)
from diagnoser.rules.base import Trial
from diagnoser.rules.engine import Judged
from diagnoser.rules.examination import ArmOutcome, Examination, parse_records
from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner

SEEDS = (0, 1)
ARM_COLLECTORS = ("losses", "environment", "timing")
MAX_UPDATES = 400


@dataclass(frozen=True)
class Arms:
    """What trials need to know: how to run the script, how long, and how to say what goes on."""

    runner: Runner
    request: RunRequest
    examination: Examination
    """The probe run, from which strengths and length of the arms are taken."""
    seconds_left: Callable[[], float]
    arm_seconds: float
    progress: Callable[[str], None]


def try_all(
    candidates: list[Judged], arms: Arms, *, thorough: bool
) -> tuple[list[ArmOutcome], list[RunOutcome]]:
    """Try each candidate's intervention; without `thorough`, up to the first that helps."""
    outcomes: list[ArmOutcome] = []
    runs: list[RunOutcome] = []
    plain: dict[int, RunOutcome] = {}
    for entry in candidates:
        rule = entry.rule
        if rule.trial is None or arms.seconds_left() < 2 * arms.arm_seconds:
            continue
        found, made = _try(rule.trial, rule.strengths(arms.examination), arms, plain)
        outcomes.extend(found)
        runs.extend(made)
        if not thorough and any(outcome.removed_symptom for outcome in found):
            break
    return outcomes, [*plain.values(), *runs]


def _try(
    trial: Trial,
    strengths: Sequence[Mapping[str, Any]],
    arms: Arms,
    plain: dict[int, RunOutcome],
) -> tuple[list[ArmOutcome], list[RunOutcome]]:
    outcomes = []
    runs: list[RunOutcome] = []
    for strength in strengths:
        if arms.seconds_left() < arms.arm_seconds:
            break
        arms.progress(f"experiment {trial.intervention} {_text(strength)}".strip())
        first = _pair(trial, strength, SEEDS[0], arms, plain)
        runs.append(first)
        outcome = _read(trial, strength, [plain[SEEDS[0]]], [first])
        if outcome.removed_symptom and arms.seconds_left() > arms.arm_seconds:
            second = _pair(trial, strength, SEEDS[1], arms, plain)
            runs.append(second)
            outcome = _read(trial, strength, [plain[seed] for seed in SEEDS], [first, second])
        elif outcome.removed_symptom:
            outcome = replace(
                outcome, removed_symptom=False, note=f"{outcome.note} (one seed only)"
            )
        outcomes.append(outcome)
        if outcome.removed_symptom:
            break
    return outcomes, runs


def _pair(
    trial: Trial,
    strength: Mapping[str, Any],
    seed: int,
    arms: Arms,
    plain: dict[int, RunOutcome],
) -> RunOutcome:
    """Run the changed arm of a seed, side by side with the unchanged one if that is not there."""
    change = {"name": trial.intervention, "params": dict(strength)}
    changed = _arm(arms, f"{trial.intervention}{_text(strength)}-{seed}", seed, [change])
    unchanged = _arm(arms, f"unchanged-{seed}", seed, [])
    if trial.measure == "seconds":  # side by side they would slow each other down
        plain[seed] = arms.runner.run(unchanged)
        return arms.runner.run(changed)
    if seed in plain:
        return arms.runner.run(changed)
    plain[seed], result = arms.runner.run_many([unchanged, changed])
    return result


def _arm(arms: Arms, name: str, seed: int, interventions: list[dict[str, Any]]) -> RunRequest:
    return replace(
        arms.request,
        role="arm",
        name=name,
        time_limit=arms.arm_seconds,
        threads=arms.runner.threads_side_by_side,
        seam={
            **arms.request.seam,
            "seed": seed,
            "interventions": interventions,
            "collectors": list(ARM_COLLECTORS),
            "stop_after_steps": min(max(arms.examination.updates, 20), MAX_UPDATES),
        },
    )


def _read(
    trial: Trial,
    strength: Mapping[str, Any],
    plain: list[RunOutcome],
    changed: list[RunOutcome],
) -> ArmOutcome:
    before = [Examination(records=parse_records(run.records)) for run in plain]
    after = [Examination(records=parse_records(run.records)) for run in changed]
    counts = [examination.data("intervention.count") for examination in after]
    replaced = min((int(count.get("replaced", 0)) for count in counts), default=0)
    if trial.measure == "seconds":
        return _timed(trial, strength, before, after, replaced)
    ends_before = [ends_of(examination) for examination in before]
    ends_after = [ends_of(examination) for examination in after]
    valid = replaced > 0 and all(examination.curve is not None for examination in (*before, *after))
    if valid and not any(count.get("from_first_loss") for count in counts):
        valid = all(
            same_start(b.curve.values[:1], a.curve.values[:1])
            for b, a in zip(before, after, strict=True)
            if b.curve is not None and a.curve is not None
        )
    gone = valid and all(
        removed(old, new) for old, new in zip(ends_before, ends_after, strict=True)
    )
    return ArmOutcome(
        intervention=trial.intervention,
        params=dict(strength),
        measure="last loss",
        plain=tuple(last for _, last in ends_before),
        changed=tuple(last for _, last in ends_after),
        replaced=replaced,
        valid=valid,
        removed_symptom=gone,
        note=_note(ends_before, ends_after),
    )


def _timed(
    trial: Trial,
    strength: Mapping[str, Any],
    before: list[Examination],
    after: list[Examination],
    replaced: int,
) -> ArmOutcome:
    """The outcome by wall seconds an update."""
    plain = [seconds_per_update(examination) for examination in before]
    changed = [seconds_per_update(examination) for examination in after]
    pairs = list(zip(plain, changed, strict=True))
    times = ", ".join(f"{1000 * new:.3g} ms instead of {1000 * old:.3g} ms" for old, new in pairs)
    return ArmOutcome(
        intervention=trial.intervention,
        params=dict(strength),
        measure="seconds an update",
        plain=tuple(plain),
        changed=tuple(changed),
        replaced=replaced,
        valid=replaced > 0 and all(math.isfinite(value) for value in (*plain, *changed)),
        removed_symptom=replaced > 0 and all(faster(old, new) for old, new in pairs),
        note=f"an update takes {times}",
    )


def _note(before: list[tuple[float, float]], after: list[tuple[float, float]]) -> str:
    pairs = ", ".join(
        f"{new:.4g} instead of {old:.4g}" for (_, old), (_, new) in zip(before, after, strict=True)
    )
    seeds = "seed" if len(after) == 1 else "seeds"
    return f"the loss ends at {pairs} ({len(after)} {seeds})"


def _text(strength: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value:g}" for key, value in strength.items())
