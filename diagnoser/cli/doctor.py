"""`diagnoser doctor`: what this machine offers."""

from __future__ import annotations

import json as json_module
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from diagnoser import __version__
from diagnoser.cli.output import write_answer
from diagnoser.errors import InputError
from diagnoser.report.literal import one_line

ASK_SECONDS = 60
QUESTIONS = """
import json, sys
found = {"version": sys.version.split()[0], "executable": sys.executable}
for name in ("torch", "numpy"):
    try:
        found[name] = __import__(name).__version__
    except Exception as error:
        found[name] = None
        found[name + "_error"] = type(error).__name__ + ": " + str(error)
devices = ["cpu"]
if found["torch"]:
    import torch
    for index in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
        devices.append("cuda:%d %s" % (index, torch.cuda.get_device_name(index)))
    mps = getattr(torch.backends, "mps", None)
    if mps is not None and mps.is_available():
        devices.append("mps")
found["devices"] = devices
print(json.dumps(found))
"""


def doctor(
    python: Annotated[
        str | None, typer.Option(metavar="PATH", help="The interpreter that runs scripts.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Say what is here: interpreter, torch, devices, sandbox, cores, model endpoint."""
    found = examine(python or sys.executable)
    write_answer(json_module.dumps(found, indent=2) if json else _text(found))
    return 0


def examine(python: str) -> dict[str, Any]:
    """Look at the interpreter and try a run.

    Raises:
        InputError: the interpreter cannot be started.
    """
    interpreter = _ask_interpreter(python)
    sandbox, notes = _try_sandbox(python)
    return {
        "schema": "diagnoser-doctor/1",
        "diagnoser": __version__,
        "interpreter": {key: interpreter[key] for key in ("executable", "version")},
        "torch": interpreter["torch"],
        "numpy": interpreter["numpy"],
        "devices": interpreter["devices"],
        "cores": _cores(),
        "sandbox": sandbox,
        "model_endpoint": None,
        "notes": [text for key, text in interpreter.items() if key.endswith("_error")] + notes,
    }


def _ask_interpreter(python: str) -> dict[str, Any]:
    advice = "Give --python the path of a Python interpreter."
    try:
        done = subprocess.run(
            [python, "-c", QUESTIONS],
            capture_output=True,
            text=True,
            timeout=ASK_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        found: dict[str, Any] = json_module.loads(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"cannot start {python}: {error}", advice) from error
    except (ValueError, IndexError) as error:
        raise InputError(f"{python} does not answer like a Python interpreter", advice) from error
    return found


def _try_sandbox(python: str) -> tuple[str, list[str]]:
    """The mechanism that a run of a trivial script really used, and what it could not do."""
    from diagnoser.runner.request import RunRequest
    from diagnoser.runner.runner import Runner

    with tempfile.TemporaryDirectory(prefix="diagnoser-doctor-") as folder:
        script = Path(folder) / "hello.py"
        script.write_text("print('hello')\n", encoding="utf-8")
        with Runner(python=python, warm=False) as runner:
            outcome = runner.run(RunRequest(name="doctor", script=script, time_limit=ASK_SECONDS))
    notes = list(outcome.failures)
    if outcome.stdout.strip() != "hello":
        notes.append(f"the trial run failed, exit {outcome.exit}: {outcome.stderr[-300:]}")
    return outcome.sandbox, notes


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _text(found: dict[str, Any]) -> str:
    interpreter = found["interpreter"]
    rows = [
        ("diagnoser", found["diagnoser"]),
        ("interpreter", f"{interpreter['executable']} ({interpreter['version']})"),
        ("torch", found["torch"] or "not installed"),
        ("numpy", found["numpy"] or "not installed"),
        ("devices", ", ".join(found["devices"])),
        ("cores", str(found["cores"])),
        ("sandbox", found["sandbox"]),
        ("model endpoint", "not configured"),
        *(("note", text) for text in found["notes"]),
    ]
    width = max(len(name) for name, _ in rows)
    lines = [f"{name.ljust(width)}  {one_line(value)}" for name, value in rows]
    return "\n".join([*lines, "", 'Next: diagnoser ask "what you see" train.py'])
