"""The one question that would halve the candidates; the user answers it in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from diagnoser.rules.base import Rule

MIN_CANDIDATES = 3
MIN_SHARE = 0.25
"""A question must set aside this share of the candidates, whichever way it is answered."""
YES = r"^\W*(yes|yeah|yep|y|right|correct|exactly|it does|it is|indeed)\b"
NO = r"^\W*(no|nope|n|neither|it does ?n.t|it is ?n.t|not really)\b"
UNSURE = r"(do ?n.t|do not) know|not sure|no idea|unsure|can.?t (say|tell)|maybe|perhaps|find out"


@dataclass(frozen=True)
class Splitter:
    """A question with two answers, and the causes that the first of them speaks for."""

    name: str
    text: str
    first: str
    """Regular expression over replies that speak for `holds`."""
    second: str
    holds: Callable[[Rule], bool]


def _reads(*kinds: str) -> Callable[[Rule], bool]:
    """Causes that show in one of these record kinds."""
    return lambda rule: bool(set(kinds) & set(rule.needs))


def _explains(symptom: str) -> Callable[[Rule], bool]:
    return lambda rule: symptom in rule.prior


SPLITTERS = (
    Splitter(
        "error",
        "Does the script end with an error message, or does it run to its end?",
        r"error|crash|exception|traceback|message|" + YES,
        r"(runs?|goes|gets|comes?) (through|to)|finish|no (error|crash|message)|to (its|the) end|"
        + NO,
        _reads("exception.raised"),
    ),
    Splitter(
        "constant",
        "Does the loss ever change, or is it exactly constant?",
        r"constant|exactly|identical|the same|never change|does ?n.t change|flat line",
        r"not (exactly |quite )?constant|chang|moves?|wobbl|a (bit|little)|slight|nois|drops?|"
        r"falls?|" + YES,
        _reads("parameters.reach", "graph.cut", "optimizer.summary", "gradients.bookkeeping"),
    ),
    Splitter(
        "split",
        "Is only the validation or test score bad, or the training score too?",
        r"(only|just) (the )?(val|test)|train\w* (is|looks|score is) (good|fine|great|ok)",
        r"\bboth\b|\b(too|as well|also)\b|all of (them|it)|everything",
        lambda rule: rule.category == "evaluation",
    ),
    Splitter(
        "rate",
        "Does it go wrong within the first few steps, or only after a good while?",
        r"first|at once|immediate|start|beginning|right away|early",
        r"while|later|after|epochs?|end\b|slowly|gradual",
        _reads("update.ratio", "nonfinite.first"),
    ),
    Splitter(
        "nan",
        "Does the loss ever become NaN or inf, or does it stay an ordinary number?",
        r"\bnan\b|\binf|not a number|" + YES,
        r"ordinary|normal|finite|number|" + NO,
        _explains("loss-nan"),
    ),
)


def best_splitter(rules: Sequence[Rule], asked: frozenset[str]) -> Splitter | None:
    """The question that splits these causes most evenly; None where none is worth asking."""
    if len(rules) < MIN_CANDIDATES:
        return None
    best, best_share = None, MIN_SHARE
    for splitter in SPLITTERS:
        if splitter.name in asked:
            continue
        share = sum(splitter.holds(rule) for rule in rules) / len(rules)
        if min(share, 1 - share) >= best_share:
            best, best_share = splitter, min(share, 1 - share) + 1e-9
    return best


def splitter_named(name: str) -> Splitter | None:
    """The question of a name."""
    return next((splitter for splitter in SPLITTERS if splitter.name == name), None)


def set_aside(splitter: Splitter, reply: str, rules: Sequence[Rule]) -> frozenset[str] | None:
    """The causes that a reply speaks against; None if the reply does not answer the question."""
    said = " ".join(reply.lower().split())
    if re.search(UNSURE, said):
        return None
    first, second = re.search(splitter.first, said), re.search(splitter.second, said)
    if first is not None and second is not None:
        first, second = (first, None) if first.start() <= second.start() else (None, second)
    if first is None and second is None:
        return None
    return frozenset(rule.slug for rule in rules if splitter.holds(rule) != (first is not None))


def is_unsure(reply: str) -> bool:
    """Whether a reply says that the user cannot tell."""
    return re.search(UNSURE, reply.lower()) is not None


def agrees(reply: str) -> bool:
    """Whether a reply accepts an offer."""
    more = r"|^\W*(ok|okay|sure|please|go|do( it| that)?|of course|find out|try( it)?|run( it)?)\b"
    return re.search(YES + more, reply.lower()) is not None


def declines(reply: str) -> bool:
    """Whether a reply turns an offer down."""
    return re.search(NO + r"|^\W*(later|never mind|not now|do ?n.t)\b", reply.lower()) is not None
