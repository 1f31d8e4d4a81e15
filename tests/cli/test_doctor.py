"""`diagnoser doctor`: what this machine offers, tried out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from diagnoser import __version__
from tests.cli.conftest import Said


def test_it_names_what_is_here(diagnoser: Callable[..., Said]) -> None:
    said = diagnoser("doctor", "--json")
    assert (said.code, said.err) == (0, "")
    found = json.loads(said.out)
    assert found["schema"] == "diagnoser-doctor/1"
    assert found["diagnoser"] == __version__
    assert found["interpreter"]["executable"] == sys.executable
    assert found["interpreter"]["version"] == sys.version.split()[0]
    assert found["torch"]
    assert found["devices"][0] == "cpu"
    assert found["cores"] >= 1
    assert found["sandbox"] in ("overlay", "copy")


def test_it_is_readable_and_ends_with_the_next_command(diagnoser: Callable[..., Said]) -> None:
    said = diagnoser("doctor")
    assert said.code == 0
    rows = dict(line.split("  ", 1) for line in said.out.splitlines() if "  " in line)
    assert {"diagnoser", "interpreter", "torch", "sandbox"} <= {name.strip() for name in rows}
    assert said.out.splitlines()[-1].startswith("Next: diagnoser ask")


@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_help_and_version_are_answers(flag: str, diagnoser: Callable[..., Said]) -> None:
    said = diagnoser(flag)
    assert (said.code, said.err) == (0, "")
    assert "diagnoser" in said.out
