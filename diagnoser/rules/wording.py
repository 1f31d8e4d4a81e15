"""What several causes are told by in a question's words: one place for each way of saying it."""

from __future__ import annotations

UNCHANGED = (
    r"exact(ly)? the same (loss|value|number|accuracy)|(does not|doesn'?t|never) (even )?(move|"
    r"change|budge)|not a single digit|in the \d(st|nd|rd|th) digit|(loss|accuracy|value)s? (is|"
    r"are|stays?) identical|bit for bit"
)
"""The number is the same to the last digit: nothing is trained at all."""
WHATEVER_RATE = (
    r"(tried|any|every|all|which|what)\b.{0,40}\b(lrs?|learning rates?|rates?|optimi[sz]ers?|adam|"
    r"sgd)\b.{0,60}(same|no difference|nothing|always|identical)"
)
"""Neither rate nor optimizer makes a difference."""
WEIGHTS_STAY = (
    r"weights?( of .{0,30})? (do not|don'?t|never|did not|didn'?t) (change|move|update)|"
    r"parameters? (do not|don'?t|never) (change|move|update)"
)
