"""What is asked of one run of the user's program, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Role = Literal["probe", "arm", "verify"]
Stopped = Literal["finished", "crashed", "budget", "killed"]
Sandbox = Literal["overlay", "copy", "none"]


@dataclass(frozen=True)
class RunRequest:
    """One run: a script with its arguments, or a command, and what the probes should do there.

    `files` maps paths relative to the script's folder to texts that stand in their place during
    this run only. `seam` holds further keys for the probes' configuration, `time_limit` seconds.
    `threads` bounds the numeric libraries' threads, so that runs side by side do not fight for the
    cores; None leaves what the script would have had. `network=False` cuts it off for this run.
    """

    role: Role = "probe"
    name: str = "run"
    script: Path | None = None
    args: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    cwd: Path | None = None
    env: dict[str, str] = field(default_factory=dict)
    seam: dict[str, Any] = field(default_factory=dict)
    time_limit: float = 60.0
    files: dict[str, str] = field(default_factory=dict)
    stdin: Path | None = None
    threads: int | None = None
    network: bool = True

    def __post_init__(self) -> None:
        if (self.script is None) == (not self.command):
            raise ValueError("a run needs either a script or a command")

    @property
    def folder(self) -> Path:
        """The folder that the sandbox must cover: the script's own, else where the command runs."""
        if self.script is not None:
            return self.script.resolve().parent
        return self.working_folder

    @property
    def working_folder(self) -> Path:
        """Where the run starts: `cwd`, else the script's folder, else the present one."""
        if self.cwd is not None:
            return self.cwd.resolve()
        return self.script.resolve().parent if self.script is not None else Path.cwd()


@dataclass(frozen=True)
class RunOutcome:
    """How one run ended and what was recorded; `seconds` is wall time, `peak_rss` bytes.

    `exit` is the exit code, negative for a signal that the program died of, None if the host
    killed it. `start` is "warm" or "cold: reason". `failures` says what the host could not do or
    did not see.
    """

    role: Role
    name: str
    exit: int | None
    stopped: Stopped
    seconds: float
    records: list[dict[str, Any]]
    stdout: str
    stderr: str
    sandbox: Sandbox
    start: str
    startup_seconds: float = 0.0
    peak_rss: int = 0
    failures: tuple[str, ...] = ()
    record_dir: Path | None = None
