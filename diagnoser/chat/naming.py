"""Which cause, place or file a sentence names."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be before but by can could do does for from has have how i in into "
        "is it its isn may my no not of off on one or s so t that the then there they this to "
        "too was what when which why with you your cause loss training run wrong still model "
        "error given",
    )
)
"""Words that name no cause."""
MIN_SCORE = 0.5
"""Share of a cause's own words, weighted by how rare they are, that must be said."""
ADJACENT = 0.3
"""Added for two neighbouring words of a slug that are said side by side."""
PLACE = re.compile(r"(?P<file>[\w./-]+\.py):(?P<line>\d+)(?:\s*(?:-|to)\s*(?P<end>\d+))?")
LINES = re.compile(r"\blines?\s+(?P<line>\d+)(?:\s*(?:-|to|until|and)\s*(?P<end>\d+))?")
FILE = re.compile(r"[\w./~-]*\w\.(?:py|log|txt|out|err)\b(?!\()")
EVIDENCE = re.compile(r"\b[eE](\d+)\b")


@dataclass(frozen=True)
class Place:
    """Lines of a file; `file` is "" where none was named, `line` 0 for the file as a whole."""

    file: str
    line: int
    end: int


def place_in(text: str) -> Place | None:
    """The first place that a text names: `train.py:31`, `line 31`, `lines 20-30 of model.py`."""
    found = PLACE.search(text)
    if found is not None:
        line = int(found["line"])
        return Place(found["file"], line, int(found["end"] or line))
    file = file_in(text)
    found = LINES.search(text.lower())
    if found is not None:
        line = int(found["line"])
        return Place(file, line, int(found["end"] or line))
    return Place(file, 0, 0) if file else None


def file_in(text: str) -> str:
    """The first file that a text names, "" without one."""
    found = FILE.search(text)
    return found[0] if found is not None else ""


def evidence_in(text: str) -> str:
    """The first evidence id that a text names, "" without one."""
    found = EVIDENCE.search(text)
    return f"E{int(found[1])}" if found is not None else ""


def user_file(name: str, sources: Iterable[str]) -> str:
    """The absolute path among the user's files that a short name means, "" without one."""
    wanted = Path(name).parts
    ends = [path for path in sources if Path(path).parts[-len(wanted) :] == wanted]
    return min(ends, key=len, default="")


def cause_in(text: str, ranked: Iterable[str] = ()) -> str:
    """The slug of the cause that a text means, "" without one; ties go to the better ranked.

    A slug may be written with dashes or blanks; else the words of slugs and titles are matched.
    """
    from diagnoser.rules.registry import all_rules

    named = slug_in(text)
    if named:
        return named
    said = _plain(text)
    order = {slug: number for number, slug in enumerate(ranked)}
    words = _stems(said.split())
    own = {rule.slug: _stems([*rule.slug.split("-"), *_words(rule.title)]) for rule in all_rules()}
    rarity = {
        word: 1.0 / sum(word in theirs for theirs in own.values())
        for word in words
        if any(word in theirs for theirs in own.values())
    }
    best, best_score = "", 0.0
    for slug in sorted(own, key=lambda slug: order.get(slug, len(order))):
        parts = slug.split("-")
        pairs = sum(f" {one} {two} " in said for one, two in pairwise(parts))
        score = sum(rarity.get(word, 0.0) for word in own[slug]) + ADJACENT * pairs
        if score > best_score + 1e-9:
            best, best_score = slug, score
    return best if best_score >= MIN_SCORE else ""


def slug_in(text: str) -> str:
    """The longest slug that a text holds, written with dashes or blanks; "" without one."""
    from diagnoser.rules.registry import all_rules

    said = _plain(text)
    named = [rule.slug for rule in all_rules() if f" {rule.slug.replace('-', ' ')} " in said]
    return max(named, key=len, default="")


def _plain(text: str) -> str:
    return f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "


def nearest(word: str, known: Collection[str], count: int = 3) -> list[str]:
    """The known names that are spelled most like a word."""
    return difflib.get_close_matches(word, list(known), n=count, cutoff=0.5)


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Advice that names the nearest, "" where nothing is near."""
    near = nearest(word, known)
    return f"Did you mean {' or '.join(near)}? " if near else ""


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _stems(words: Iterable[str]) -> frozenset[str]:
    """Words without the ends that vary, common ones left out."""
    kept = (word for word in words if word not in COMMON and len(word) > 1)
    return frozenset(re.sub(r"(ing|ed|es|s|ies|y)$", "", word) or word for word in kept)
