"""Cold start: `python launcher.py REQUEST.json` enters the sandbox and becomes the command."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

sys.path[:1] = []
sys.path.append(str(Path(__file__).resolve().parent.parent))

from evidence_collectors import confine, sandbox  # noqa: E402


def main(path: str) -> int:
    """Prepare this process as the request says, then become its command; returns on failure."""
    request = json.loads(Path(path).read_text(encoding="utf-8"))
    confine.die_with_parent()
    try:
        confine.confine(confine.Confinement.read(request))
    except sandbox.SandboxUnavailable:
        return confine.UNAVAILABLE
    for name in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(name, signal.SIG_DFL)
    command = request["command"]
    try:
        os.execvpe(command[0], command, request["env"])
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
