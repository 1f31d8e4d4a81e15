"""The first prompt comes at once: nothing heavy is imported for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import REPOSITORY

BANNED = ("torch", "numpy", "openai", "jinja2", "libcst", "rich", "mcp", "nbformat", "pygments")
LIST_MODULES = """
import contextlib, json, sys
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from diagnoser.cli import chat, main
with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
    keys.send_text(chr(4))
    sys.stdin.isatty = sys.stdout.isatty = lambda: True
    import diagnoser.chat.repl as repl
    repl.create_input = lambda: keys
    code = main.run(["chat", *sys.argv[1:]])
sys.stdout.write("\\n" + json.dumps([code, sorted(sys.modules)]))
"""


def modules_at_the_first_prompt(*words: str, cwd: Path) -> list[str]:
    """What is imported once the first prompt has been shown and left."""
    done = subprocess.run(
        [sys.executable, "-c", LIST_MODULES, *words],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(REPOSITORY),
            "HOME": str(cwd),
            "TERM": "xterm",
        },
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    assert "diagnoser.chat.repl" in modules
    return [name for name in BANNED if name in modules]


def test_it_loads_nothing_heavy(tmp_path: Path) -> None:
    assert modules_at_the_first_prompt(cwd=tmp_path) == []


def test_neither_with_a_target(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print(1)\n")
    assert modules_at_the_first_prompt("train.py", cwd=tmp_path) == []
