"""Prepare one process for its run: the view of the files, this run's texts, the host's mark.

Both ways into a run use it: the cold launcher before it becomes the command, and the warm server's
child before it runs the script.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence_collectors import sandbox

UNAVAILABLE = 125
"""Exit code of a process that could not enter its sandbox and ran nothing."""

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Confinement:
    """What the host asks of the process before the user's code runs."""

    mode: str
    scratch: str
    keep: str
    project: str
    network: bool
    cwd: str
    files: dict[str, str]
    status: str

    @classmethod
    def read(cls, request: dict[str, Any]) -> Confinement:
        """The confinement that stands in a request of the host."""
        return cls(**request["confinement"])


def die_with_parent() -> None:
    """Ask the kernel to kill this process when the one that started it ends."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ended, so that they end with this one."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def confine(wanted: Confinement) -> None:
    """Enter the sandbox, lay this run's texts over the files, and tell the host what was done.

    Raises:
        SandboxUnavailable: after the reason was written for the host; run nothing then.
    """
    try:
        name = sandbox.enter(
            wanted.mode, wanted.scratch, wanted.keep, wanted.project, wanted.network
        )
    except sandbox.SandboxUnavailable as error:
        _tell(wanted, "", str(error))
        raise
    for path, text in wanted.files.items():
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    os.chdir(wanted.cwd)
    _tell(wanted, name, None)


def _tell(wanted: Confinement, name: str, error: str | None) -> None:
    """Write the mechanism, and the mount namespace by which the host finds what escapes."""
    status = {"sandbox": name, "error": error, "pid": os.getpid(), "mount_namespace": None}
    if name == "overlay":
        status["mount_namespace"] = os.stat("/proc/self/ns/mnt").st_ino
    Path(wanted.status).write_text(json.dumps(status), encoding="utf-8")
