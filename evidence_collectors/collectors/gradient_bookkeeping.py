"""Are gradients cleared between updates, and are they there when the optimizer steps?

Read from the gradients' content: `zero_grad`, `grad = None`, `grad.zero_()`, clearing through the
module or by hand all count, since what matters is that the gradient is None or zero when the next
backward begins. A gradient counts as carried over only if a backward added to it after its
parameter had been stepped and before it was cleared, and a step then used it: a second optimizer's
backward that passes through (GAN) and steps without a backward between them do not.
"""

from __future__ import annotations

import sys
import weakref
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.schedule import first_then_powers
from evidence_collectors.watched import is_cleared, signature, watched

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe, UpdateCount

DENSE_STEPS = 10
WINDOW = 3


class _Watch:
    """What is known of one parameter's gradient."""

    __slots__ = ("carried", "had_gradient", "old", "parameter", "stepped", "used")

    def __init__(self, parameter: Any) -> None:
        self.parameter = parameter
        self.stepped = False
        self.carried = False
        self.had_gradient = False
        self.used: tuple[str, ...] = ()
        """The gradient right after the last step."""
        self.old: Optional[tuple[str, ...]] = None
        """The gradient that the last step used, at the head of a backward call."""


class _Book:
    """The watches of one optimizer."""

    def __init__(self, optimizer: Any, count: UpdateCount, at: Optional[dict[str, Any]]) -> None:
        self.optimizer = weakref.ref(optimizer)
        self.label = type(optimizer).__name__
        self.count = count
        self.at = at
        self.watches = [_Watch(parameter) for parameter in watched(optimizer)]
        self.next = 0
        """Number of the update after the one that was attended last."""
        self.looked = 0
        self.attended = 0
        self.empty_before = False
        self.bare_first = False
        """Whether the first step came before any backward call had filled a gradient."""
        self.backwards_before = 0
        """Backward calls at the head of the step: a closure makes more inside."""
        self.carried_steps = 0
        self.empty_steps = 0
        self.backwards = 0
        self.zeroed_at: dict[str, Any] = {}
        self.zeroed_after_backward: Optional[dict[str, Any]] = None
        self.backward_at: Optional[dict[str, Any]] = None
        self.step_at: Optional[dict[str, Any]] = None
        self.between: Optional[dict[str, Any]] = None

    def follows(self) -> bool:
        """Whether the update before was attended too, so that a carry-over would show.

        Where it was not, what is known of the gradients is out of date and is forgotten.
        """
        if self.next == self.count.steps:
            return True
        for watch in self.watches:
            watch.stepped = watch.carried = watch.had_gradient = False
        return False


class GradientBookkeepingCollector:
    """Counts updates with carried-over and with empty gradients, per optimizer."""

    name: ClassVar[str] = "gradient_bookkeeping"
    kinds: ClassVar[dict[str, str]] = {
        "gradients.bookkeeping": "per optimizer: updates, updates attended and those looked at "
        "(whose predecessor was attended too), of these with a gradient carried over from before "
        "the last update; of those attended with all gradients None or zero although a backward "
        "had filled them; lines of backward, step and zero_grad",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._books: dict[int, _Book] = {}
        self._due = first_then_powers(DENSE_STEPS, WINDOW)

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        self._books[id(optimizer)] = _Book(
            optimizer, self._probe.count_of(optimizer), self._probe.locate(frame)
        )

    def _open(self) -> list[_Book]:
        found = []
        for book in self._books.values():
            if self._due(book.count.steps) and book.optimizer() is not None:
                book.follows()
                found.append(book)
        return found

    def zeroed(self, owner: Any, frame: Any) -> None:
        at = None
        for book in self._open():
            optimizer = book.optimizer()
            touches = optimizer is owner or (
                hasattr(owner, "parameters")
                and book.watches
                and any(p is book.watches[0].parameter for p in owner.parameters())
            )
            if touches:
                at = at or self._probe.locate(frame)
                book.between = at
                if at is not None:
                    book.zeroed_at[f"{at['file']}:{at['line']}"] = at

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        for book in self._open():
            for watch in book.watches:
                if is_cleared(watch.parameter):
                    watch.stepped = False
                    watch.carried = False
                elif watch.stepped:
                    now = signature(watch.parameter.grad)
                    watch.old = now if now == watch.used else None  # else scaled on purpose
            book.between = None
            book.backward_at = book.backward_at or self._probe.locate(frame)

    def backward_exit(self, tensors: Any, frame: Any) -> None:
        for book in self._open():
            filled = False
            for watch in book.watches:
                if not is_cleared(watch.parameter):
                    watch.had_gradient = True
                    filled = True
                old, watch.old = watch.old, None
                if old is not None and old != signature(watch.parameter.grad):
                    watch.carried = True  # backward has added to what the last step had used
            book.backwards += filled

    def step_pre(self, optimizer: Any) -> None:
        book = self._books.get(id(optimizer))
        if book is None or not self._due(book.count.steps):
            return
        book.follows()
        book.empty_before = bool(book.watches) and all(
            is_cleared(watch.parameter) for watch in book.watches
        )
        book.backwards_before = self._probe.backwards
        if book.step_at is None:
            book.step_at = self._probe.locate(sys._getframe(2))

    def step_post(self, optimizer: Any) -> None:
        book = self._books.get(id(optimizer))
        if book is None or not self._due(book.count.steps):
            return
        book.attended += 1
        book.looked += book.follows()
        book.next = book.count.steps + 1
        if any(watch.carried for watch in book.watches):
            book.carried_steps += 1
        filled_before = any(watch.had_gradient for watch in book.watches)
        inside = self._probe.backwards > book.backwards_before
        if book.count.steps == 0:
            book.bare_first = book.empty_before and not filled_before and not inside
        if book.empty_before and filled_before and not inside:
            book.empty_steps += 1
            book.zeroed_after_backward = book.between or book.zeroed_after_backward
        for watch in book.watches:
            watch.used = signature(watch.parameter.grad)
            watch.stepped = True
            watch.carried = False
            watch.had_gradient = False
        if book.looked in (5, DENSE_STEPS):
            self._write(book)

    def _write(self, book: _Book) -> None:
        self._probe.record(
            "gradients.bookkeeping",
            {
                "optimizer": book.label,
                "updates": book.count.steps,
                "looked": book.looked,
                "attended": book.attended,
                "carried": book.carried_steps,
                "empty": book.empty_steps,
                "bare_first": book.bare_first,
                "backwards": book.backwards,
                "watched": len(book.watches),
                "backward_at": book.backward_at,
                "step_at": book.step_at,
                "zeroed_at": list(book.zeroed_at.values())[:4],
                "zeroed_between": book.zeroed_after_backward,
                "created_at": book.at,
            },
            at=book.backward_at,
        )

    def finished(self, reason: str) -> None:
        for book in self._books.values():
            self._write(book)


COLLECTOR = GradientBookkeepingCollector
