"""A run looks to the script like `python train.py`, warm or cold."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.runner.request import RunRequest
from diagnoser.runner.runner import Runner

Write = Callable[..., Path]
Ask = Callable[..., RunRequest]


def plain_python(script: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(script), *args], capture_output=True, text=True, cwd=script.parent
    )


def test_names_paths_and_arguments_are_those_of_plain_python(
    runner: Runner, write: Write, ask: Ask
) -> None:
    script = write("""
        import os, sys
        import beside
        print(sys.argv, __file__, __name__, __spec__, __package__, __doc__, os.getcwd())
        print(sys.path[0], sys.modules["__main__"].__file__, beside.__name__)
        print(any("evidence_collectors" in entry for entry in sys.path))
        print(sorted(name for name in globals() if name != "beside"))
    """)
    write("", "beside.py")
    expected = plain_python(script, "--lr", "0.1").stdout
    outcome = runner.run(ask(script, args=("--lr", "0.1")))
    assert outcome.stdout == expected
    assert (outcome.exit, outcome.stopped) == (0, "finished")


def test_a_warm_run_starts_warm(warm: Runner, write: Write, ask: Ask) -> None:
    outcome = warm.run(ask(write("print('here')")))
    assert outcome.start == "warm"
    assert outcome.failures == ()
    assert outcome.records[0]["kind"] == "run.start"
    assert outcome.records[0]["pid"] > 0


def test_standard_input_is_the_given_file_or_empty(
    runner: Runner, write: Write, ask: Ask, tmp_path: Path
) -> None:
    script = write("import sys; print(repr(sys.stdin.read()))")
    given = tmp_path / "input.txt"
    given.write_text("three\nlines\nhere\n", encoding="utf-8")
    assert runner.run(ask(script, stdin=given)).stdout == "'three\\nlines\\nhere\\n'\n"
    assert runner.run(ask(script)).stdout == "''\n"


@pytest.mark.parametrize(
    "source",
    [
        "import sys; sys.exit(7)",
        "import sys; sys.exit('no data')",
        "import sys; sys.exit()",
        "import os; os._exit(3)",
        "import atexit; atexit.register(print, 'bye'); print('hello')",
        "import threading, time\n"
        "def later():\n    time.sleep(0.1)\n    print('thread')\n"
        "threading.Thread(target=later).start()",
        "raise ValueError('bad learning rate')",
        "def f():\n    return 1 / 0\n\n\nf()",
        "x = (1,\n",
        "import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__)\n1 / 0",
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('k') from e",
    ],
)
def test_output_and_exit_code_are_those_of_plain_python(
    runner: Runner, write: Write, ask: Ask, source: str
) -> None:
    script = write(source)
    expected = plain_python(script)
    outcome = runner.run(ask(script))
    assert outcome.exit == expected.returncode
    assert outcome.stdout == expected.stdout
    assert outcome.stderr == expected.stderr
    assert outcome.stopped == ("finished" if expected.returncode == 0 else "crashed")


def test_classes_of_the_script_can_be_pickled(runner: Runner, write: Write, ask: Ask) -> None:
    script = write("""
        import pickle
        class Thing:
            pass
        print(type(pickle.loads(pickle.dumps(Thing()))) is Thing, Thing.__module__)
    """)
    assert runner.run(ask(script)).stdout == "True __main__\n"


@pytest.mark.parametrize(("method", "workers"), [("fork", 2), ("spawn", 1)])
def test_loader_workers_run(
    warm: Runner, write: Write, ask: Ask, method: str, workers: int
) -> None:
    script = write(f"""
        import torch
        from torch.utils.data import DataLoader, Dataset

        class Squares(Dataset):
            def __len__(self):
                return 8
            def __getitem__(self, index):
                return torch.tensor(index * index)

        if __name__ == "__main__":
            loader = DataLoader(Squares(), 4, num_workers={workers}, multiprocessing_context="{method}")
            print([batch.tolist() for batch in loader])
    """)
    outcome = warm.run(ask(script))
    assert outcome.stdout == "[[0, 1, 4, 9], [16, 25, 36, 49]]\n", outcome.stderr
    assert outcome.start == "warm"


def test_unseeded_streams_differ_between_warm_runs(warm: Runner, write: Write, ask: Ask) -> None:
    script = write("""
        import json, random
        import numpy, torch
        print(json.dumps([random.random(), numpy.random.rand(), torch.initial_seed()]))
    """)
    first, second = (json.loads(warm.run(ask(script)).stdout) for _ in range(2))
    fresh = [json.loads(plain_python(script).stdout) for _ in range(2)]
    assert all(a != b for a, b in zip(first, second, strict=True))
    assert all(a != b for a, b in zip(*fresh, strict=True))


def test_seeded_streams_are_those_of_plain_python(warm: Runner, write: Write, ask: Ask) -> None:
    script = write("""
        import random
        import numpy, torch
        random.seed(1); numpy.random.seed(2); torch.manual_seed(3)
        print(random.random(), numpy.random.rand(), torch.rand(3).tolist())
        print(torch.nn.Linear(200, 200)(torch.ones(200, 200)).exp().sum().item())
    """)
    assert warm.run(ask(script)).stdout == plain_python(script).stdout


def test_parallel_operations_do_not_hang_in_warm_children(
    warm: Runner, write: Write, ask: Ask
) -> None:
    script = write("""
        import torch
        torch.set_num_threads(2)
        a = torch.ones(600, 600, requires_grad=True)
        (a @ a).exp().mul(0).sum().backward()
        print("done")
    """)
    outcomes = warm.run_many([ask(script)] * 4)
    assert [outcome.stdout for outcome in outcomes] == ["done\n"] * 4
