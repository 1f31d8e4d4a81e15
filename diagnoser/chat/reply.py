"""What a line leads to, and what is said back to it."""

from __future__ import annotations

from dataclasses import dataclass

from diagnoser.chat.session import Session


@dataclass(frozen=True)
class Step:
    """What a sentence leads to: something to say, then commands, then a look at the question."""

    session: Session
    text: str = ""
    commands: tuple[str, ...] = ()
    look: bool = False
    """Whether the words of the session are to be answered now."""
    model: bool = False
    """Whether only a language model could answer."""
    leave: bool = False


@dataclass(frozen=True)
class Reply:
    """The text, the state after it, and whether the conversation is over."""

    text: str
    session: Session
    leave: bool = False
