"""What a sentence wants: a table of patterns, read from top to bottom."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Intent:
    """One thing that a sentence may want, and how it is recognised in lower-case text."""

    name: str
    pattern: str


INTENTS = (
    Intent("bye", r"^\W*(good ?bye|bye|see you|that'?s (all|it)|i'?m done|quit|exit)\b"),
    Intent("thanks", r"^\W*(thanks|thank you|thx|cheers|great|perfect|awesome|nice)\b[^?]{0,40}$"),
    Intent("hello", r"^\W*(hi|hello|hey|good (morning|evening|day))\W*$"),
    Intent("help", r"^\W*help\W*$|^\W*what can (you|i) (do|ask|say)|how does this work"),
    Intent(
        "again",
        r"\b(try|run|check|test|look)( (it|that))? (once )?(again|now|anew)\b|\bre-?run\b|"
        r"\bi(('ve| have)( (just|now))?| just)? (changed|fixed|edited|updated|corrected|repaired|"
        r"did (it|that)|applied|added|removed)\b|^\W*again\W*$|is it (fixed|better|ok|gone) now",
    ),
    Intent("undo", r"\bundo\b|\brevert\b|roll(ed)? ?back|(put|change|take) (it|that) back"),
    Intent("diff", r"\b(show|see|print|what is)\b.*\b(diff|change|patch|edit)\b|^\W*diff\W*$"),
    Intent(
        "apply",
        r"^\W*(please )?(apply|write|make) (it|that|this|the (fix|change|edit|patch))\b|"
        r"\b(fix|change|repair) it for me\b|^\W*(can|could|would) you (please )?"
        r"(fix|apply|change|repair)\b|^\W*(please )?(apply|fix it)\b",
    ),
    Intent(
        "verify",
        r"\b(verify|prove) (it|that|this|the (fix|change))\b|does (it|that|the (fix|change)) work|"
        r"^\W*verify\W*$",
    ),
    Intent(
        "fix",
        r"how (do|can|could|should|would|to) ?(i|we|you|one)? ?(fix|repair|solve|correct|change|"
        r"avoid|get rid|mend)|what (should|must|do) (i|we) (do about|change|write|fix)|"
        r"^\W*(the )?(fix|solution|remedy)\W*$|what('s| is) the (fix|solution|remedy)",
    ),
    Intent("show", r"^\W*(please )?(show|print|see|open|display|give|what('s| is) (in|on|at))\b"),
    Intent(
        "else",
        r"(what|any|any ?thing|some ?thing|who) else\b|other (causes?|candidates?|faults?|"
        r"problems?|reasons?|bugs?)|else wrong|\balternatives?\b|more (bugs|faults|problems)",
    ),
    Intent(
        "next",
        r"what (comes )?next|^\W*(and )?(what )?now( what)?\W*$|now what|next step|"
        r"what (do|should|can) i do( now| next)?\W*$|^\W*next\W*$",
    ),
    Intent("printed", r"what (did|does|has) (it|the script) (print|write|say|output)|the output\b"),
    Intent("seconds", r"how (long|much time|many seconds)|what did (it|that) cost"),
    Intent(
        "why-not",
        r"why (is|was|are)? ?(it|that|this)? ?(is ?n.t|not)\b|why (couldn.t|can.t) it be|"
        r"(could|can|might|may) it (also |not |still )?be\b|what about\b|how about\b|"
        r"is ?n.t it\b|^\W*is it (maybe |perhaps |not )?(the |a |an )?|"
        r"did you (check|rule out|try)",
    ),
    Intent(
        "why",
        r"^\W*(but )?why\b|how (do|can|did) you (know|tell|see)|how come|are you (sure|certain)|"
        r"what makes you|\bexplain\b|\bprove\b|what (is|'s) the evidence|reason\b",
    ),
    Intent(
        "run",
        r"^\W*(please )?(run|start|go|examine|diagnose|check|find out|look at it|have a look|"
        r"take a look|what('s| is) wrong)( (it|that|my script|the script|with it|here))?"
        r"( (now|please))?\W*$|^\W*what('s| is) wrong( with (it|my script|this))?\W*$",
    ),
    Intent("experiment", r"\bwhat (if|happens if)\b|^\W*(please )?(try|test|experiment)\b"),
)

CANNOT = (
    (
        r"\b(write|build|create|generate|make) (me )?(a|an|the|my)\b.*"
        r"\b(model|script|net|network|code|notebook|program|app)\b",
        "write programs",
        "/fix shows the exact change to yours, where there is one",
    ),
    (
        r"\b(plot|draw|graph|chart|visuali[sz]e|picture|curve of)\b",
        "draw",
        "/evidence lists the measured numbers, /export json FILE writes all of them",
    ),
    (
        r"\b(tune|optimi[sz]e|best|search)\b.*\b(hyper|parameter|rate|setting|architecture)",
        "tune hyper-parameters",
        "/experiment tries one change against the unchanged script",
    ),
    (
        r"\b(download|install|upgrade|pip|conda)\b",
        "install or download",
        "`diagnoser doctor` says what is here",
    ),
    (
        r"\b(deploy|train (it|the model|my model|this)|finish the training|send|e-?mail|commit|"
        r"push)\b",
        "train or send anything for you; I run the script for at most the budget, in a copy",
        "/run runs it under the probes",
    ),
    (
        r"\b(weather|joke|poem|song|president|capital of|news)\b",
        "talk about other things than training runs",
        "tell me what your training run does",
    ),
)
"""What people ask for that is not done here, in words, and the nearest thing that is."""


def intent_of(text: str) -> str:
    """The name of the first intent that fits; "" for none."""
    said = " ".join(text.lower().replace("\u2019", "'").split())
    return next((intent.name for intent in INTENTS if re.search(intent.pattern, said)), "")


def cannot(text: str) -> str:
    """What to say to a wish that is not granted here; "" for other texts."""
    said = " ".join(text.lower().split())
    for pattern, what, instead in CANNOT:
        if re.search(pattern, said):
            return f"I cannot {what}. The nearest thing: {instead}."
    return ""
