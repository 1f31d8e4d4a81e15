"""The environment and the seam configuration of one run."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from diagnoser.runner.request import RunRequest


def probes_folder() -> Path:
    """Where the probes' package is installed; it is found without being imported."""
    return Path(__file__).resolve().parents[2] / "evidence_collectors"


def cores() -> int:
    """How many cores this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def search_path(path: str) -> str:
    """Where a command's program is looked for: PATH, then beside the host's interpreter.

    `torchrun` stands there when an environment is used without being activated.
    """
    return os.pathsep.join([*filter(None, [path]), str(Path(sys.executable).parent)])


def base_environment(extra: Mapping[str, str], network: bool, scratch: Path) -> dict[str, str]:
    """The host's environment with the request's own variables and tracking services offline."""
    env = {**os.environ, **extra}
    env["PATH"] = search_path(env.get("PATH", ""))
    site = str(probes_folder() / "_site")
    behind = env.get("PYTHONPATH", "")
    env["PYTHONPATH"] = os.pathsep.join([site, behind]) if behind else site
    env |= {
        "TORCHDYNAMO_DISABLE": "1",
        "PYTHONUNBUFFERED": "1",
        "WANDB_MODE": "offline",
        "WANDB_DISABLED": "true",
        "MLFLOW_TRACKING_URI": (scratch / "mlruns").as_uri(),
    }
    # Spinning threads stall tiny operations on a busy machine (measured: 85 s became 19 s); how
    # they wait changes no number.
    env.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    if not network:
        env["HF_HUB_OFFLINE"] = "1"
    return env


def write_config(record_dir: Path, request: RunRequest, script: Path | None, root: Path) -> Path:
    """Write the probes' configuration into the record folder and return its path."""
    config: dict[str, Any] = {
        "record_dir": str(record_dir),
        "script": None if script is None else str(script),
        "roots": [str(root)],
        "steps": 200,
        "seed": None,
        "interventions": [],
        "stop_after_steps": None,
        "stop_after_seconds": request.time_limit,
        "collectors": None,
        **request.seam,
    }
    path = record_dir / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    return path
