"""Pasted text: long pastes are shown as one word, and a paste that never ends can be left."""

from __future__ import annotations

import re
from collections.abc import Callable

from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

SHOWN_LINES = 20
SHOWN_CHARACTERS = 4_000
"""A longer paste would fill the screen."""
INTERRUPT = "\x03"
PLACEHOLDER = re.compile(r"\[pasted (\d+): \d+ lines\]")


class PasteShelf:
    """Keeps long pastes aside while a line is edited; the line holds a word in their place."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def put(self, text: str) -> str:
        """Keep a text and return the word that stands for it."""
        self._kept.append(text)
        return f"[pasted {len(self._kept)}: {text.count(chr(10)) + 1} lines]"

    def take(self, line: str) -> str:
        """A line with the pastes in place of their words; the shelf is empty then."""
        kept, self._kept = self._kept, []

        def text_of(found: re.Match[str]) -> str:
            number = int(found[1])
            return kept[number - 1] if 0 < number <= len(kept) else found[0]

        return PLACEHOLDER.sub(text_of, line)

    def bindings(self) -> KeyBindings:
        """Key bindings that put a long paste on the shelf, and let the mouse alone.

        A typed colour code (`ESC [ 31 m`) is taken for a mouse event, and the default binding for
        those raises at it.
        """
        bindings = KeyBindings()

        @bindings.add(Keys.Vt100MouseEvent)
        def _(event: KeyPressEvent) -> None:
            pass

        @bindings.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            text = event.data.replace("\r\n", "\n").replace("\r", "\n")
            if text.count("\n") >= SHOWN_LINES or len(text) > SHOWN_CHARACTERS:
                text = self.put(text)
            event.current_buffer.insert_text(text)

        return bindings


class LeavableParser(Vt100Parser):
    """A parser in which Ctrl-C, pressed alone, ends a paste whose end never came."""

    def __init__(self, feed_key_callback: Callable[[KeyPress], None]) -> None:
        super().__init__(feed_key_callback)

    def feed(self, data: str) -> None:
        """Feed what the terminal sent."""
        if data == INTERRUPT and self._in_bracketed_paste:
            self.reset()
        super().feed(data)
