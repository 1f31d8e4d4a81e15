"""The folders of one run, and the message that tells the new process what to do."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from diagnoser.runner.copying import copy_folder
from diagnoser.runner.environment import base_environment, write_config
from diagnoser.runner.request import RunRequest, Sandbox

THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass(frozen=True)
class Place:
    """Where one run happens; `moved` maps a copied folder to the user's own."""

    folder: Path
    record_dir: Path
    project: Path
    moved: dict[str, str]

    @property
    def stdout(self) -> Path:
        """The file that the run's standard output goes to."""
        return self.folder / "stdout"

    @property
    def stderr(self) -> Path:
        """The file that the run's standard error goes to."""
        return self.folder / "stderr"

    def here(self, path: str) -> str:
        """The path under which the run finds a file of the user's."""
        for copied, original in self.moved.items():
            if path == original or path.startswith(original + "/"):
                return copied + path[len(original) :]
        return path


def make_place(folder: Path, request: RunRequest, mode: Sandbox) -> Place:
    """Create the folders of a run.

    Raises:
        FolderTooBig: a copy is needed and the script's folder is too big for one.
    """
    for name in ("record", "scratch", "home", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    place = Place(folder, folder / "record", request.folder, {})
    place.stdout.touch()
    place.stderr.touch()
    if mode != "copy":
        return place
    copied = folder / "copy" / request.folder.name
    copy_folder(request.folder, copied)
    return Place(folder, folder / "record", copied, {str(copied): str(request.folder)})


def make_message(
    request: RunRequest, place: Place, mode: Sandbox, python: str, network: bool
) -> dict[str, Any]:
    """The request as both ways of starting read it (see `evidence_collectors.confine`)."""
    script = None if request.script is None else Path(place.here(str(request.script.absolute())))
    args = [place.here(argument) for argument in request.args]
    env = base_environment(request.env, network, place.folder / "scratch")
    if mode == "copy":
        env |= _redirected(env, place)
    if request.threads is not None:
        env = {name: str(request.threads) for name in THREAD_VARIABLES} | env
    env["DIAGNOSER_SEAM"] = str(write_config(place.record_dir, request, script, place.project))
    command = [place.here(part) for part in request.command]
    return {
        "command": command if script is None else [python, str(script), *args],
        "script": None if script is None else str(script),
        "args": args,
        "threads": request.threads,
        "env": env,
        "stdin": None if request.stdin is None else str(request.stdin.absolute()),
        "stdout": str(place.stdout),
        "stderr": str(place.stderr),
        "confinement": {
            "mode": "overlay" if mode == "overlay" else "none",
            "scratch": str(place.folder / "scratch"),
            "keep": str(place.record_dir),
            "project": str(place.project),
            "network": network,
            "cwd": place.here(str(request.working_folder)),
            "files": {str(place.project / path): text for path, text in request.files.items()},
            "status": str(place.record_dir / "sandbox.json"),
        },
    }


def _redirected(env: dict[str, str], place: Place) -> dict[str, str]:
    """Home and temporary folder of a copy's run; model caches are still found in the real home."""
    home = Path(env.get("HOME") or Path.home())
    cache = Path(env.get("XDG_CACHE_HOME") or home / ".cache")
    return {
        "HOME": str(place.folder / "home"),
        "TMPDIR": str(place.folder / "tmp"),
        "TORCH_HOME": env.get("TORCH_HOME", str(cache / "torch")),
        "HF_HOME": env.get("HF_HOME", str(cache / "huggingface")),
    }


def python_of(python: str | None) -> str:
    """The interpreter that runs scripts: the one asked for, else the host's own."""
    return python or sys.executable


def problems(records: Sequence[dict[str, Any]], mode: Sandbox, network: bool) -> list[str]:
    """What was not seen, or not held back, in a run that ended."""
    found = [
        f"the probes could not start: {json.dumps(record.get('data'))}"
        for record in records
        if record.get("kind") == "seam.failed"
    ]
    if not any(record.get("kind") == "run.start" for record in records):
        found.append("not seen: no process of this run reported to the probes")
    if mode == "copy":
        found.append(
            "ran in a copy: the script's folder, $HOME and $TMPDIR were stand-ins, but files that"
            " the script names by another absolute path were not protected"
        )
    if mode != "overlay" and not network:
        found.append(
            "the network was not cut off, as only a private view of the system can do that"
        )
    return found
