"""Lines of source text as Python counts them."""

from __future__ import annotations

import io


def lines_of(text: str, *, keepends: bool = False) -> list[str]:
    r"""Split at `\n`, `\\r\\n` and `\\r` only.

    `str.splitlines` also ends lines at form feeds and Unicode separators, which Python's own line
    numbers do not count.
    """
    lines = io.StringIO(text, newline="").readlines()
    return lines if keepends else [line.rstrip("\r\n") for line in lines]
