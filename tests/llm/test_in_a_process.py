"""The same in a process of its own: what is loaded, what a terminal asks, how it ends."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.llm.conftest import ABOUT_WORDS, KEY, WORDS
from tests.model_server import ModelServer, Reply, says

PROBE = """
import json, sys
from diagnoser.cli.main import run
code = run(sys.argv[1:])
names = ("openai", "httpx", "httpx2", "jinja2", "diagnoser.llm.client")
sys.stderr.write("\\n" + json.dumps([code, [name for name in names if name in sys.modules]]))
"""


def in_a_process(folder: Path, *words: str, **environ: str) -> tuple[int, list[str], str]:
    """Exit code, modules of interest, and what was printed, of a process of its own."""
    kept = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(REPOSITORY), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**kept, "OMP_NUM_THREADS": "1", **environ},
        timeout=120,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, modules, done.stdout


@pytest.mark.parametrize("words", [[WORDS], ["it stalls", "train.py"]], ids=["words", "script"])
def test_without_key_and_base_url_there_is_no_model_and_no_word_of_it(
    folder: Path, words: list[str]
) -> None:
    code, modules, out = in_a_process(folder, "ask", *words)
    assert code == 0
    assert modules == []
    assert not any(line.startswith("Model ") for line in out.splitlines())
    assert "language model" not in out
    _, _, raw = in_a_process(folder, "ask", *words, "--json")
    provenance = json.loads(raw)["provenance"]
    assert (provenance["model"], provenance["note"]) == (None, None)


def test_with_a_key_and_nobody_to_ask_one_line_says_so_and_nothing_is_imported(
    folder: Path,
) -> None:
    code, modules, out = in_a_process(folder, "ask", WORDS, OPENAI_API_KEY=KEY)
    assert code == 0
    assert "openai" not in modules
    assert "jinja2" not in modules
    assert KEY not in out
    assert "nobody agreed to send to api.openai.com" in " ".join(out.split())


def test_on_a_terminal_a_no_sends_nothing(folder: Path) -> None:
    leader, follower = pty.openpty()
    environ = {**os.environ, "PYTHONPATH": str(REPOSITORY), "TERM": "dumb"}
    words = ["ask", WORDS, "--base-url", "https://models.example/v1", "--model", "big"]
    process = subprocess.Popen(
        [sys.executable, "-m", "diagnoser", *words],
        stdin=follower,
        stderr=follower,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environ,
    )
    os.close(follower)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(leader, 4096)
    os.write(leader, b"n\n")
    out, _ = process.communicate(timeout=60)
    os.close(leader)
    text = shown.decode()
    assert process.returncode == 0
    assert "models.example" in text
    assert "redacted" in text
    assert KEY not in text + out
    assert "you did not agree to send to models.example" in " ".join(out.split())


def start(server: ModelServer, folder: Path) -> subprocess.Popen[str]:
    """Ask about words in a process of its own, with every warning shown."""
    words = ["ask", WORDS, "--base-url", server.url, "--model", "scripted"]
    return subprocess.Popen(
        [sys.executable, "-X", "dev", "-W", "default", "-m", "diagnoser", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "TMPDIR": str(folder)},
    )


def test_it_ends_without_a_warning_and_leaves_no_file(folder: Path) -> None:
    with ModelServer(says(ABOUT_WORDS)) as server:
        out, err = start(server, folder).communicate(timeout=60)
    assert "scripted" in out
    assert "Warning" not in err
    assert [path.name for path in folder.iterdir()] == ["train.py"]


def test_an_interrupt_while_the_model_is_waited_for(folder: Path) -> None:
    asked = threading.Event()

    def hold(_: object) -> Reply:
        asked.set()
        return Reply(hold=True)

    with ModelServer(hold) as server:
        process = start(server, folder)
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1] == "interrupted"
    assert "Traceback" not in err
