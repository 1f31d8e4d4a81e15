"""Starts the probes in a Python process that the host launched, then yields to the user's own.

Python imports the first `sitecustomize` on its path; the host puts this folder in front by
PYTHONPATH. The package is loaded from its own place, so that its parent folder never stands on the
user's sys.path.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
PACKAGE = "evidence_collectors"


def load_package() -> None:
    """Import the package of the probes from its own folder, without touching sys.path."""
    if PACKAGE in sys.modules:
        return
    home = os.path.dirname(FOLDER)
    spec = importlib.util.spec_from_file_location(
        PACKAGE, os.path.join(home, "__init__.py"), submodule_search_locations=[home]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{PACKAGE} is not in {home}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def start() -> None:
    """Load the probes, and start them if a configuration is named; an error is only noted."""
    configuration = os.environ.get("DIAGNOSER_SEAM")
    if not configuration and not os.environ.get("DIAGNOSER_WARM"):
        return
    try:
        load_package()
        if configuration:
            from evidence_collectors import seam

            seam.start()
    except Exception as error:
        note(configuration, f"{type(error).__name__}: {error}")


def note(configuration: str | None, error: str) -> None:
    """Write one line about a failed start into the record folder."""
    if not configuration:
        return
    record = {"kind": "seam.failed", "step": 0, "phase": "setup", "t": 0.0, "at": None}
    record["data"] = {"error": error, "argv": list(getattr(sys, "orig_argv", []))}
    name = f"{os.getpid()}-{time.time_ns()}-failed.jsonl"
    try:
        path = os.path.join(os.path.dirname(configuration), name)
        with open(path, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(record, default=str) + "\n")
    except OSError:
        return


def chain() -> None:
    """Import the sitecustomize that Python would have imported without this one."""
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != FOLDER]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


start()
chain()
