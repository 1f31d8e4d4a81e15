"""A run ends at its limit, and everything it started ends with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from diagnoser.runner import supervise
from diagnoser.runner.request import RunRequest
from diagnoser.runner.runner import Runner

Write = Callable[..., Path]
Ask = Callable[..., RunRequest]


@pytest.fixture
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host waits half a second past the limit instead of three."""
    monkeypatch.setattr(supervise, "GRACE_SECONDS", 0.5)


def alive(mark: str) -> list[int]:
    """Processes with the mark on their command line, this one aside."""
    found = []
    for process in psutil.process_iter(["pid", "cmdline", "status"]):
        if process.info["status"] != psutil.STATUS_ZOMBIE and mark in (
            process.info["cmdline"] or []
        ):
            found.append(process.info["pid"])
    return found


STUBBORN = """
    import signal, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print("waiting", flush=True)
    time.sleep(100)
"""

DAEMON = """
    import os, subprocess, sys
    mark = sys.argv[1]
    sleeper = [sys.executable, "-c", "import time; time.sleep(100)", mark]
    subprocess.Popen(sleeper)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, sleeper, {})
        os._exit(0)
    os.wait()
    print("left")
"""


def test_a_stranger_in_a_namespace_of_the_same_number_is_left_alone(
    tmp_path: Path,
) -> None:
    """The kernel reuses the numbers of ended namespaces at once."""
    if os.geteuid() != 0:
        pytest.skip("needs a mount namespace")
    stranger = subprocess.Popen(["unshare", "-m", "sleep", "60"])
    own = os.stat("/proc/self/ns/mnt").st_ino
    try:
        while (number := os.stat(f"/proc/{stranger.pid}/ns/mnt").st_ino) == own:
            time.sleep(0.01)
        ended = subprocess.Popen(["true"])
        ended.wait()
        (tmp_path / "sandbox.json").write_text(json.dumps({"mount_namespace": number}))
        assert supervise.Watch(ended.pid, tmp_path).kill() == 0
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_short_runs_side_by_side_do_not_end_each_other(
    warm: Runner, write: Write, ask: Ask
) -> None:
    outcomes = warm.run_many([ask(write("print('done')"))] * 80)
    assert {(outcome.exit, outcome.stdout) for outcome in outcomes} == {(0, "done\n")}


@pytest.mark.usefixtures("short_grace")
def test_a_script_that_ignores_signals_is_killed(runner: Runner, write: Write, ask: Ask) -> None:
    outcome = runner.run(ask(write(STUBBORN), time_limit=0.5 if runner._warm else 3.0))
    assert (outcome.stopped, outcome.exit, outcome.stdout) == ("killed", None, "waiting\n")
    assert outcome.seconds < 8


def test_children_and_daemons_end_with_the_run(runner: Runner, write: Write, ask: Ask) -> None:
    mark = uuid.uuid4().hex
    outcome = runner.run(ask(write(DAEMON), args=(mark,)))
    assert outcome.stdout == "left\n", outcome.stderr
    assert alive(mark) == []


def test_other_processes_of_the_host_are_left_alone(cold: Runner, write: Write, ask: Ask) -> None:
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        cold.run(ask(write(DAEMON), args=(uuid.uuid4().hex,)))
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


def test_the_probes_stop_a_run_at_its_limit(warm: Runner, write: Write, ask: Ask) -> None:
    script = write("""
        import torch
        w = torch.zeros(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], 0.1)
        while True:
            optimizer.zero_grad()
            (w - 1).square().sum().backward()
            optimizer.step()
    """)
    outcome = warm.run(ask(script, time_limit=0.5))
    assert outcome.stopped == "budget", (outcome.stderr, outcome.failures)
    assert outcome.seconds < 3


def test_a_stop_at_a_step_is_a_finished_run(warm: Runner, write: Write, ask: Ask) -> None:
    script = write("""
        import torch
        w = torch.zeros(3, requires_grad=True)
        optimizer = torch.optim.SGD([w], 0.1)
        for step in range(1000):
            (w - 1).square().sum().backward()
            optimizer.step()
    """)
    outcome = warm.run(ask(script, seam={"stop_after_steps": 5}))
    assert outcome.stopped == "finished"
    assert any(record["kind"] == "run.stopped" for record in outcome.records)


@pytest.mark.parametrize("way", ["warm", "cold"])
def test_an_interrupt_of_the_host_ends_everything(way: str, write: Write, tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    script = write("""
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "import time; time.sleep(100)", sys.argv[1]])
    """)
    program = tmp_path / "host.py"
    program.write_text(
        textwrap.dedent(f"""
        from pathlib import Path
        from diagnoser.runner.request import RunRequest
        from diagnoser.runner.runner import Runner
        request = RunRequest(script=Path({str(script)!r}), args=({mark!r},))
        with Runner(warm={way == "warm"}) as runner:
            runner.run_many([request, request])
        """)
    )
    root = Path(supervise.__file__).parents[2]
    host = subprocess.Popen(
        [sys.executable, str(program)],
        env={**os.environ, "PYTHONPATH": str(root)},
        stderr=subprocess.PIPE,
    )
    expected = 2 if way == "warm" else 4  # a warm child has its server's command line
    deadline = time.monotonic() + 30
    while len(alive(mark)) < expected and time.monotonic() < deadline and host.poll() is None:
        time.sleep(0.05)
    assert len(alive(mark)) == expected
    host.send_signal(signal.SIGINT)
    _, stderr = host.communicate(timeout=20)
    assert b"KeyboardInterrupt" in stderr
    assert alive(mark) == []


def test_a_command_runs_cold_and_is_seen(cold: Runner, write: Write) -> None:
    script = write("import sys; print(sys.argv[1:])")
    outcome = cold.run(
        RunRequest(command=("sh", "-c", f"{sys.executable} {script} a b"), cwd=script.parent)
    )
    assert outcome.stdout == "['a', 'b']\n"
    assert outcome.start == "cold: a command"
    assert outcome.failures == ()


def test_a_process_without_probes_is_reported_as_not_seen(cold: Runner, write: Write) -> None:
    script = write("print(1)")
    outcome = cold.run(RunRequest(command=(sys.executable, "-I", str(script)), cwd=script.parent))
    assert outcome.stdout == "1\n"
    assert any("not seen" in failure for failure in outcome.failures)


def test_a_command_that_does_not_exist_says_so(cold: Runner, tmp_path: Path) -> None:
    outcome = cold.run(RunRequest(command=("no-such-program",), cwd=tmp_path))
    assert (outcome.exit, outcome.stopped) == (127, "crashed")
    assert "no-such-program: No such file or directory" in outcome.stderr
