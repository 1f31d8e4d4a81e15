"""After the end nothing of the probes is left in torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evidence_collectors

PROGRAM = """
import json, sys
import torch
from evidence_collectors.probe import SeamConfig
from evidence_collectors.seam import Seam

OWNERS = (
    torch, torch.autograd, torch.Tensor, torch.nn.Module, torch.nn.functional, torch.optim.Optimizer,
    torch.jit, torch.utils.data.dataloader._BaseDataLoaderIter, sys,
)
SKIPPED = ("last_type", "last_value", "last_traceback", "__warningregistry__")

def attributes():
    return {
        (str(owner), name): id(value)
        for owner in OWNERS
        for name, value in vars(owner).items()
        if name not in SKIPPED
    }

def hooks():
    from torch.optim import optimizer
    return [len(optimizer._global_optimizer_pre_hooks), len(optimizer._global_optimizer_post_hooks)]

torch.optim.Adam(torch.nn.Linear(1, 1).parameters())  # the first optimizer imports torch._dynamo
before, hooks_before = attributes(), hooks()
seam = Seam(SeamConfig(record_dir=sys.argv[1], roots=(sys.argv[1],)))
seam.install()
during = attributes()
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.Adam(model.parameters())
for _ in range(6):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(model(torch.ones(4, 2)), torch.zeros(4, 1)).backward()
    optimizer.step()
seam.finish(0)
after = attributes()
print(json.dumps({
    "patched": sum(during.get(key) != value for key, value in before.items()),
    "left": sorted(str(key) for key in before if after.get(key) != before[key]),
    "hooks": [hooks_before, hooks()],
    "module_hooks": sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules()),
    "modes": len(torch.overrides._get_current_function_mode_stack()),
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program saw before, during and after, and the kinds of its records."""
    folder = tmp_path_factory.mktemp("undone")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(evidence_collectors.__file__).parents[1])},
    )
    assert done.returncode == 0, done.stderr
    (record,) = folder.glob("*.jsonl")
    kinds = [json.loads(line)["kind"] for line in record.read_text().splitlines()]
    return {**json.loads(done.stdout), "kinds": kinds}


def test_the_probes_were_there(found: dict[str, Any]) -> None:
    assert found["patched"] > 30
    assert found["kinds"][0] == "run.start"
    assert found["kinds"][-1] == "run.end"
    assert {"loss.value", "update.ratio", "operation.watched"} <= set(found["kinds"])


def test_everything_that_was_patched_is_put_back(found: dict[str, Any]) -> None:
    assert found["left"] == []
    assert found["hooks"][0] == found["hooks"][1]
    assert found["module_hooks"] == 0


def test_no_function_mode_is_left(found: dict[str, Any]) -> None:
    assert found["modes"] == 0
