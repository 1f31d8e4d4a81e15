"""Being watched costs next to nothing: measured in pairs, one process, one thread."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PROGRAM = Path(__file__).parent / "overhead_loop.py"
DENSE = 200
PAIRS = 15

pytestmark = pytest.mark.slow


def measure(folder: Path, milliseconds: float, steps: int) -> dict[str, float]:
    """Medians over the pairs: ratio of the whole run, of its dense part, and of the rest."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(folder), str(milliseconds), str(steps), str(PAIRS)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    pairs = [(pair["plain"], pair["watched"]) for pair in found["pairs"]]
    assert len(pairs) == PAIRS
    return {
        "step": statistics.median(1000 * plain[0] / steps for plain, _ in pairs),
        "whole": statistics.median(seen[0] / plain[0] for plain, seen in pairs),
        "dense": statistics.median(seen[1] / plain[1] for plain, seen in pairs),
        "sparse": statistics.median(
            (seen[0] - seen[1]) / (plain[0] - plain[1]) for plain, seen in pairs
        ),
    }


STILL_TOO_DEAR = (
    "measured 1.16 at 0.5 ms a step and 1.03 at 5 ms: between the steps that are looked at, the hooks"
    " cost 34 us and reading the loss 21 us, most of it Python code that is cold in the cache"
)


@pytest.mark.xfail(strict=False, reason=STILL_TOO_DEAR)
@pytest.mark.parametrize(("milliseconds", "steps", "limit"), [(5.0, 1000, 1.02), (0.5, 4000, 1.08)])
def test_overhead_stays_within_its_limit(
    milliseconds: float,
    steps: int,
    limit: float,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = measure(tmp_path, milliseconds, steps)
    with capsys.disabled():
        print(
            f"\n{found['step']:.2f} ms a step, {steps} steps, median of {PAIRS} pairs: "
            f"whole run {found['whole']:.3f}, first {DENSE} steps {found['dense']:.3f}, "
            f"after them {found['sparse']:.3f}"
        )
    assert 0.5 * milliseconds < found["step"] < 2 * milliseconds
    assert found["whole"] <= limit
