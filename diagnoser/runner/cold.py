"""Start a run in a fresh process: the launcher enters the sandbox and becomes the command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from diagnoser.runner.environment import probes_folder
from diagnoser.runner.supervise import Ended, Watch, exit_code, wait


def run_cold(
    request: dict[str, Any],
    folder: Path,
    record_dir: Path,
    limit: float,
    cancelled: Callable[[], bool],
) -> Ended:
    """Run the request's command to its end, or to the limit, and end everything it started."""
    path = folder / "request.json"
    path.write_text(json.dumps(request), encoding="utf-8")
    with (
        Path(request["stdin"] or os.devnull).open("rb") as stdin,
        Path(request["stdout"]).open("ab") as stdout,
        Path(request["stderr"]).open("ab") as stderr,
    ):
        process = subprocess.Popen(
            [sys.executable, "-E", "-S", str(probes_folder() / "launcher.py"), str(path)],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    watch = Watch(process.pid, record_dir)
    ended = os.pidfd_open(process.pid)
    in_time = False
    try:
        in_time = wait(watch, ended, limit, cancelled)
    finally:
        leftover = watch.kill()
        os.close(ended)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = exit_code(status)
    return Ended(
        exit=process.returncode if in_time else None,
        peak_rss=max(watch.peak_rss, usage.ru_maxrss * 1024),
        leftover=leftover,
    )
