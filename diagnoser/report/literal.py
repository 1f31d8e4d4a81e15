"""Text from scripts, logs and models is data: it is shown as it is, never obeyed."""

from __future__ import annotations

import unicodedata

ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Control, format (bidirectional overrides), surrogate and private characters; line separators."""


def literal(text: str) -> str:
    """Escape what would act on a terminal; line ends and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        letter
        if letter in "\n\t" or unicodedata.category(letter) not in ESCAPED_CATEGORIES
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text.replace("\r\n", "\n")
    )


def one_line(text: str) -> str:
    """The same on one line."""
    return literal(" ".join(text.split()))
