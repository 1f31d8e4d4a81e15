"""The language model, where one is configured: the only place that calls it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from diagnoser.chat.session import Session
from diagnoser.errors import DiagnoserError, InputError

if TYPE_CHECKING:
    from diagnoser.settings import Settings

NO_MODEL = "No language model is configured; everything here works without one."
MAX_EARLIER = 6
MAX_CHARACTERS = 1_500
"""Of each earlier turn; the evidence goes along whole."""


@dataclass(frozen=True)
class Said:
    """What the model said; "" with a note, or with none, where it said nothing."""

    text: str = ""
    note: str = ""


class Model:
    """Asks the configured language model; without `settings` there is none."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings

    def settings(self, session: Session) -> Settings | None:
        """How it is reached, None where there is none or the user has switched it off."""
        return self._settings if session.model else None

    def described(self, session: Session) -> str:
        """Which model may be asked."""
        if self._settings is None:
            return NO_MODEL
        try:
            from diagnoser.llm.endpoint import endpoint_of

            endpoint = endpoint_of(self._settings)
        except (ImportError, DiagnoserError) as error:
            return f"The language model cannot be used: {error}."
        state = "may be asked" if session.model else "is switched off (/llm on)"
        return f"The language model {endpoint.model} at {endpoint.host} {state}."

    def prompt(self, session: Session) -> str:
        """Exactly what the next words would send; raises InputError where there is no answer."""
        if self._settings is None:
            return f"{NO_MODEL} Nothing would be sent."
        if session.last is None:
            raise InputError("there is no answer yet that could be sent", "Ask, or /run, first.")
        from diagnoser.llm.converse import turn
        from diagnoser.llm.shipment import shown

        said = session.words[-1] if session.words else ""
        return shown(turn(session.last.work, said, _earlier(session), self._settings)).rstrip()

    def answer(self, session: Session, said: str, agree: Callable[[str], bool] | None) -> Said:
        """What the model says to these words; it never raises."""
        settings = self.settings(session)
        if settings is None or session.last is None:
            return Said()
        from diagnoser.report.literal import literal

        try:
            from diagnoser.llm.converse import converse

            pieces = converse(session.last.work, said, _earlier(session), settings, agree)
            return Said(literal("".join(pieces)).strip())
        except (ImportError, DiagnoserError) as error:
            return Said(note=f"The model was not used: {literal(str(error))}.")


def _earlier(session: Session) -> list[str]:
    rows = []
    for turn in session.turns[-MAX_EARLIER:]:
        rows += [f"user: {turn.said[:MAX_CHARACTERS]}", f"tool: {turn.answered[:MAX_CHARACTERS]}"]
    return rows
