"""What was typed before: in the user's state folder, for the user alone, and without secrets."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from prompt_toolkit.history import FileHistory

MAX_STORED = 1_000
"""A longer line, or a paste of several lines, is not kept."""
SECRET = re.compile(
    r"""\b(sk|pk|rk)[-_][A-Za-z0-9_-]{12,}            # keys of model and payment services
    | \b(hf|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm)[-_][A-Za-z0-9_-]{10,}
    | \b(AKIA|ASIA)[A-Z0-9]{12,} | \bAIza[A-Za-z0-9_-]{20,}
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}       # signed tokens
    | [a-z][a-z0-9+.-]*://[^\s/:@]*:[^\s/@]+@         # a password in an address
    | -----BEGIN[ ][A-Z ]*PRIVATE[ ]KEY
    | \b(bearer|basic)\s+[A-Za-z0-9+/_.=-]{12,}
    | (key|token|secret|passw(or)?d|passphrase|credentials?)["']?\s*(=|:|\bis\b)\s*["']?\S{4,}
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_secret(line: str) -> bool:
    """Whether a line seems to hold a key, a token or a password."""
    return SECRET.search(line) is not None


class PrivateHistory(FileHistory):
    """A history file that only its owner can read; where it cannot be written, none is kept."""

    def store_string(self, string: str) -> None:
        """Keep a line, unless it holds a secret or is a paste."""
        if is_secret(string) or "\n" in string or len(string) > MAX_STORED:
            return
        path = Path(os.fsdecode(self.filename))
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
            path.chmod(0o600)
            super().store_string(string)

    def load_history_strings(self) -> list[str]:
        """The lines kept so far, the latest first; none where the file cannot be read."""
        with contextlib.suppress(OSError):
            return list(super().load_history_strings())
        return []


def history_file() -> Path:
    """Where the history is kept."""
    from platformdirs import user_state_path

    return user_state_path("diagnoser") / "chat_history"
