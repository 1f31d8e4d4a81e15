"""What is remembered about endpoints, in the user's state file: consent, and how to ask.

The file has mode 0600. A file that cannot be read or written is no failure: it is asked again.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "model.json"


@dataclass(frozen=True)
class Memory:
    """Reads and writes one state file."""

    path: Path

    def consented(self, host: str) -> bool:
        """Whether the user has agreed to send to this host before."""
        return host in self._list("hosts")

    def consent(self, host: str) -> None:
        """Remember that the user agreed."""
        self._write({**self._read(), "hosts": sorted({*self._list("hosts"), host})})

    def rung(self, base_url: str, model: str) -> str | None:
        """The way of asking that worked last."""
        rungs = self._read().get("rungs")
        found = rungs.get(f"{base_url} {model}") if isinstance(rungs, dict) else None
        return found if isinstance(found, str) else None

    def remember_rung(self, base_url: str, model: str, name: str) -> None:
        """Remember the way of asking that worked."""
        if self.rung(base_url, model) != name:
            known = self._read()
            rungs = known.get("rungs")
            kept = dict(rungs) if isinstance(rungs, dict) else {}
            self._write({**known, "rungs": {**kept, f"{base_url} {model}": name}})

    def _list(self, key: str) -> list[str]:
        found = self._read().get(key)
        return (
            [entry for entry in found if isinstance(entry, str)] if isinstance(found, list) else []
        )

    def _read(self) -> dict[str, Any]:
        try:
            known = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _write(self, known: Mapping[str, Any]) -> None:
        temporary: Path | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{FILE}-")
            temporary = Path(name)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(known, file, indent=1)
            temporary.replace(self.path)
        except OSError:
            if temporary is not None:
                with contextlib.suppress(OSError):
                    temporary.unlink()


def user_memory(environ: Mapping[str, str] | None = None) -> Memory:
    """The user's own state file."""
    environ = os.environ if environ is None else environ
    folder = environ.get("XDG_STATE_HOME")
    if folder:
        return Memory(Path(folder) / "diagnoser" / FILE)
    import platformdirs

    return Memory(platformdirs.user_state_path("diagnoser") / FILE)
