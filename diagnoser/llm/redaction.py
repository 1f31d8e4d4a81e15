"""What never leaves this machine: secrets by their form or their name, and the home path.

Ordinary hashes, numbers and names of models stay, since a diagnosis may rest on them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

MARK = "[redacted]"
MIN_SECRET = 8
"""Characters; a shorter value of a variable is too common a word to look for everywhere."""
FORMS = (
    ("cloud key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("cloud key", r"(?<![\w-])AIza[\w-]{35}(?![\w-])"),
    ("cloud key", r"(?<![\w-])ya29\.[\w-]{20,}"),
    ("cloud key", r"(?<=AccountKey=)[A-Za-z0-9+/=]{20,}"),
    ("token", r"(?<![A-Za-z0-9])sk-(?=[\w-]*\d)[\w-]{16,}"),
    ("token", r"(?<![A-Za-z0-9])sk-[\w-]*\*+[\w*-]*"),
    ("token", r"(?<![A-Za-z0-9])(?:hf|gh[pousr])_[A-Za-z0-9]{16,}"),
    ("token", r"(?<![A-Za-z0-9])github_pat_\w{20,}"),
    ("token", r"(?<![A-Za-z0-9])glpat-[\w-]{16,}"),
    ("token", r"(?<![A-Za-z0-9])xox[abeprs]-[\w-]{10,}"),
    ("token", r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"),
    ("token", r"(?i)(?<=\bbearer )[\w.+/=-]{12,}"),
    ("password in an address", r"(?<=://)[^\s/:@'\"]*:[^\s/@'\"]+(?=@)"),
    ("password in an address", r"(?<=://)[^\s/:@'\"]{16,}(?=@)"),
)
PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"(?:.{0,20000}?-----END [A-Z ]*PRIVATE KEY-----|(?:\s*[\"']?[A-Za-z0-9+/=]{16,}\S*)*)",
    re.DOTALL,
)
NAMED = re.compile(
    r"(?P<name>(?<![A-Za-z0-9])[A-Za-z0-9_.-]{0,64}"
    r"(?:key|token|secret|password|passwd|passphrase|credentials?)(?:[\"']\]?)?)"
    r"(?P<sign>\s*(?:=|:)\s*|(?<=[a-z])\s+(?=[^\s=:]))"
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s\"',;)}\]]+)",
    re.IGNORECASE,
)
ALWAYS_SECRET = re.compile(
    r"(?:secret|passw|passphrase|credential|(?:api|access|private|auth)[_-]?(?:key|token))",
    re.IGNORECASE,
)
ORDINARY_NAME = re.compile(
    r"(?:^|_)(?:pad|bos|eos|unk|sep|cls|mask|special|start|stop|end|num|max|min|n|per|sort|public)"
    r"_?(?:key|token)$",
    re.IGNORECASE,
)
CODE = re.compile(
    r"[A-Za-z_][\w.]*[.(\[]|[-+]?[\d.][\d._]*(?:e[-+]?\d+)?$|None$|True$|False$|\{|f\""
)
HOMES = (r"/home/[^/\s:\"']+", r"/Users/[^/\s:\"']+")
SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$")


class Redactor:
    """Replaces secrets in texts and counts by kind what it replaced."""

    def __init__(self, environ: Mapping[str, str] | None = None, home: Path | None = None) -> None:
        environ = os.environ if environ is None else environ
        self.counts: Counter[str] = Counter()
        self._known = sorted(
            {
                value.strip()
                for name, value in environ.items()
                if SECRET_VARIABLE.search(name) and len(value.strip()) >= MIN_SECRET
            },
            key=lambda value: (-len(value), value),
        )
        folders = {str(home or Path.home())} - {"/", "."}
        self._home = re.compile(
            rf"(?:{'|'.join([*map(re.escape, sorted(folders)), *HOMES])})(?=[/\s:\"',)]|$)"
        )

    def __call__(self, text: str) -> str:
        """The text without what must not leave; its lines keep their numbers."""
        for secret in self._known:
            text, count = text.replace(secret, MARK), text.count(secret)
            self._count("value of a secret variable", count)
        text = PRIVATE_KEY.sub(self._block, text)
        for kind, form in FORMS:
            text, count = re.subn(form, MARK, text)
            self._count(kind, count)
        text = NAMED.sub(self._named, text)
        text, count = self._home.subn("~", text)
        self._count("home path", count)
        return text

    def _count(self, kind: str, count: int = 1) -> None:
        if count:
            self.counts[kind] += count

    def _block(self, found: re.Match[str]) -> str:
        self._count("private key")
        return "\n".join([MARK] * (found.group().count("\n") + 1))

    def _named(self, found: re.Match[str]) -> str:
        name, sign, value = found["name"], found["sign"], found["value"]
        if not _is_secret(name.strip("\"']"), sign, value):
            return found.group()
        self._count("named secret")
        quote = value[0] if value[0] in "\"'" else ""
        return f"{name}{sign}{quote}{MARK}{quote}"


def _is_secret(name: str, sign: str, value: str) -> bool:
    """Whether a value assigned to a name that sounds secret is one."""
    inner = value.strip("\"'")
    quoted = value[0] in "\"'"
    if not inner or inner.startswith(MARK[:-1]) or ORDINARY_NAME.search(name):
        return False
    if not sign.strip():
        option = name.startswith("--") and bool(ALWAYS_SECRET.search(name))
        return option and not inner.startswith("-")
    if CODE.match(inner) and not quoted:
        return False
    if not quoted and name != name.upper() and "=" in sign and " " in sign:
        return False  # `token = other` in source: a name, no value
    if ALWAYS_SECRET.search(name):
        return len(inner) >= 3
    shouted = name == name.upper() and "_" in name
    token = name.lower().endswith("token") and any(letter.isdigit() for letter in inner)
    plain = re.fullmatch(r"[\w.+/=~-]+", inner) is not None
    return plain and (shouted or token) and len(inner) >= MIN_SECRET
