"""Which scripts may start warm, and how records are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.runner.copying import FolderTooBig, copy_folder
from diagnoser.runner.plain import reason_for_cold
from diagnoser.runner.records import MAX_TEXT, read_records, read_text

Write = Callable[..., Path]


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("import os\nos.environ['OMP_NUM_THREADS'] = '1'\nimport torch", "OMP_NUM_THREADS"),
        ("import os\nos.environ.setdefault('CUDA_VISIBLE_DEVICES', '')", "CUDA_VISIBLE_DEVICES"),
        ("from os import environ\nenviron.update({'TORCH_LOGS': 'x'})", "TORCH_LOGS"),
        ("import os\nos.environ.update(MKL_NUM_THREADS='1')", "MKL_NUM_THREADS"),
        ("import os\nos.putenv('PYTORCH_ALLOC', 'x')", "PYTORCH_ALLOC"),
        ("import sys\nprint(sys.flags.optimize)", "sys.flags"),
    ],
)
def test_cold_when_the_start_matters(write: Write, source: str, named: str) -> None:
    reason = reason_for_cold(write(source), {})
    assert reason is not None and named in reason


@pytest.mark.parametrize("name", ["torch.py", "random.py", "numpy/__init__.py", "scipy.py"])
def test_cold_when_a_file_shadows_a_library(write: Write, name: str) -> None:
    script = write("import torch")
    (script.parent / name).parent.mkdir(exist_ok=True)
    (script.parent / name).write_text("")
    assert reason_for_cold(script, {}, {"scipy"}) is not None


@pytest.mark.parametrize(
    "source",
    ["import os\nos.environ['WANDB_MODE'] = 'offline'\nprint(os.environ['OMP_X'])", "x = (1,"],
)
def test_warm_otherwise(write: Write, source: str) -> None:
    script = write(source)
    (script.parent / "numpy").mkdir()
    assert reason_for_cold(script, {"SEED": "1"}) is None


def test_cold_when_the_request_sets_such_a_variable(write: Write) -> None:
    assert reason_for_cold(write(""), {"OMP_NUM_THREADS": "1"}) is not None


def test_records_survive_a_cut_line_and_come_in_order(tmp_path: Path) -> None:
    (tmp_path / "9-200.jsonl").write_text('{"kind":"b"}\n{"kind":"cut')
    (tmp_path / "12-100.jsonl").write_text('{"kind":"a","at":"/copy/x/train.py"}\n')
    records = read_records(tmp_path, {"/copy/x": "/home/me"})
    assert records == [
        {"kind": "a", "at": "/home/me/train.py", "pid": 12},
        {"kind": "b", "pid": 9},
    ]


def test_a_long_stream_keeps_its_head_and_tail(tmp_path: Path) -> None:
    path = tmp_path / "stdout"
    path.write_text("first\n" + "x" * MAX_TEXT * 2 + "\nlast")
    text = read_text(path)
    assert text.startswith("first\n") and text.endswith("\nlast")
    assert len(text) < MAX_TEXT + 100


def test_a_folder_that_is_too_big_is_not_copied(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / ".git").mkdir(parents=True)
    (source / ".git" / "pack").write_bytes(b"x" * 5000)
    (source / "train.py").write_bytes(b"x" * 500)
    copy_folder(source, tmp_path / "copy", limit=1000)
    assert sorted(path.name for path in (tmp_path / "copy").iterdir()) == ["train.py"]
    with pytest.raises(FolderTooBig, match="too much to copy"):
        copy_folder(source, tmp_path / "second", limit=100)
    assert not (tmp_path / "second").exists()
