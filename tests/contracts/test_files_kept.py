"""An answer leaves every byte of the user's files as it was, whatever the script does to them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.evaluate.cases import load_case
from diagnoser.pipeline import Options, answer
from diagnoser.runner.runner import Runner
from diagnoser.schema import Question
from tests.conftest import REPOSITORY

CASES = sorted(
    side
    for case in (REPOSITORY / "eval_cases").glob("*/case.toml")
    for side in (case.parent / "broken", case.parent / "fixed")
    if side.is_dir()
)
TRAINING = """
    import torch
    torch.manual_seed(0)
    x = torch.randn(64, 4)
    y = x.sum(1, keepdim=True)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(40):
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print("loss", loss.item())
"""
HARM = {
    "nothing": "",
    "overwrites its checkpoint": "torch.save(model.state_dict(), 'model.pt')",
    "appends to a log": "open('logs/run.txt', 'a').write('again\\n')",
    "deletes a data file": "import os; os.remove('data/rows.csv')",
    "renames a data file": "import os; os.rename('data/rows.csv', 'data/old.csv')",
    "deletes a folder": "import shutil; shutil.rmtree('data')",
    "overwrites itself": "open(__file__, 'w').write('gone')",
    "writes beside its folder": "open('../beside.txt', 'w').write('x')",
    "changes modes and links": "import os; os.chmod('model.pt', 0o777); os.symlink('data', 'link')",
}


def fingerprint(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Mode, time of change and content of everything below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            content = ""
        found[str(path.relative_to(folder))] = (status.st_mode, status.st_mtime_ns, content)
    return found


@pytest.mark.parametrize("harm", HARM)
def test_a_diagnosed_script_keeps_its_files(
    harm: str, write_script: Callable[..., Path], shared_runner: Runner, tmp_path: Path
) -> None:
    script = write_script(TRAINING + f"    {HARM[harm]}\n    print('harm done')\n")
    for name in ("data", "logs"):
        (script.parent / name).mkdir()
    (script.parent / "data" / "rows.csv").write_text("1,2\n3,4\n")
    (script.parent / "logs" / "run.txt").write_text("first\n")
    (script.parent / "model.pt").write_bytes(b"trained for a week")
    before = fingerprint(tmp_path)
    report = answer(
        Question(symptom="the loss climbs and never settles", target=str(script)),
        Options(budget=60),
        runner=shared_runner,
    )
    assert fingerprint(tmp_path) == before
    assert report.status == "diagnosed"
    assert report.candidates[0].cause == "missing-zero-grad"
    assert report.diagnosis is not None
    if harm != "overwrites itself":
        assert report.diagnosis.fix.after["printed"] == "harm done"


@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", CASES, ids=lambda path: path.relative_to(REPOSITORY / "eval_cases").as_posix()
)
def test_every_case_keeps_its_files(folder: Path, shared_runner: Runner, tmp_path: Path) -> None:
    copied = tmp_path / "project"
    shutil.copytree(folder, copied, ignore=shutil.ignore_patterns("__pycache__"))
    case = load_case(folder.parent)
    before = fingerprint(tmp_path)
    report = answer(
        Question(
            symptom=case.symptom,
            target=None if case.mode == "command" else str(copied / (case.target or "")),
            args=case.args,
            command=case.command if case.mode == "command" else (),
        ),
        Options(budget=20, cwd=copied if case.mode == "command" else None),
        runner=shared_runner,
    )
    assert fingerprint(tmp_path) == before
    assert bool(report.runs) == (case.mode != "text")
