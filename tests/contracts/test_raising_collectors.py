"""A collector that raises is removed and recorded; the script and the others go on."""

from __future__ import annotations

from typing import Any

import pytest

from diagnoser.runner.request import RunOutcome, RunRequest
from diagnoser.runner.runner import Runner
from evidence_collectors.seam import discover
from tests.contracts.conftest import SCRIPTS

COLLECTORS = discover("collectors", "COLLECTOR")
NOT_EVENTS = frozenset({"look"})
"""Public methods that are called by a collector's own patches, not by the hub."""

IN_TURN = ("noise_layers", "ends_in_error", "loader_workers", "stateful_model")
"""Scripts to try until one makes an event of the collector happen."""

SABOTAGE = """
import sys
def boom(*args, **kwargs):
    raise RuntimeError("sabotaged")
probes = sys.modules.get({module!r})
if probes is not None:
    for name in {events!r}:
        setattr(probes.COLLECTOR, name, boom)
"""


def events_of(collector: Any) -> list[str]:
    """The events that a collector takes part in."""
    return [
        name
        for name, member in vars(collector).items()
        if callable(member) and not name.startswith("_") and name not in NOT_EVENTS
    ]


def run_sabotaged(runner: Runner, name: str, collector: Any) -> RunOutcome:
    """Run a script whose first lines make every event of a collector raise."""
    lines = SABOTAGE.format(module=collector.__module__, events=events_of(collector))
    text = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
    future = "from __future__ import annotations\n"
    changed = text.replace(future, f"{future}{lines}", 1)
    names = [entry.name for entry in COLLECTORS]
    return runner.run(
        RunRequest(
            script=SCRIPTS / f"{name}.py",
            files={f"{name}.py": changed},
            seam={"collectors": names},
        )
    )


@pytest.mark.parametrize("collector", COLLECTORS, ids=lambda collector: collector.name)
def test_the_script_and_the_other_collectors_go_on(
    collector: Any, shared_runner: Runner, closely_observed_scripts: dict[str, RunOutcome]
) -> None:
    others = {kind for other in COLLECTORS if other is not collector for kind in other.kinds}
    removed = []
    for name in IN_TURN:
        outcome, unharmed = (
            run_sabotaged(shared_runner, name, collector),
            closely_observed_scripts[name],
        )
        assert (outcome.exit, outcome.stdout) == (unharmed.exit, unharmed.stdout)
        expected = {r["kind"] for r in unharmed.records} & others
        assert expected <= {r["kind"] for r in outcome.records}
        removed += [r["data"] for r in outcome.records if r["kind"] == "collector.failed"]
        if removed:
            break
    assert [entry["collector"] for entry in removed] == [collector.name]
    assert removed[0]["error"] == "RuntimeError: sabotaged"
    assert removed[0]["event"] in events_of(collector)
