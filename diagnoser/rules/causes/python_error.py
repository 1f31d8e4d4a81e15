"""The cause `python-error`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import STRONG, Fact, Finding, Rule, fired, missing, silent
from diagnoser.rules.examination import Examination
from diagnoser.rules.readings import place_text


class PythonError(Rule):
    """The script ends with an ordinary Python exception.

    What it detects:
        Any exception that ended the run and that no more specific cause explains: a syntax,
        import, name, attribute, key, type, value or file error.
    Why it breaks training:
        The run ends before, or in the middle of, training.
    Evidence:
        exception.raised: type, message, the user's own frame and line.
    Example:
        model = Net(hiden=64)   # TypeError: unexpected keyword argument 'hiden'
    Use instead:
        model = Net(hidden=64)
    Can be confused with:
        Errors about shapes, dtypes or devices, which have causes of their own.
    Verify:
        Run the script again.
    Prevent:
        Run the script for one batch in a test; let an editor or a linter read it first.
    References:
        Python documentation, "Errors and Exceptions".
    """

    slug: ClassVar[str] = "python-error"
    title: ClassVar[str] = "A Python error ends the script"
    category: ClassVar[str] = "program"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -3}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised",)
    fallback: ClassVar[bool] = True
    fix_summary: ClassVar[str] = "Mend the line that the traceback names"
    prevention: ClassVar[str] = "Run one batch of the script in a test before the long run."

    def weigh(self, examination: Examination) -> list[Finding]:
        raised = examination.last("exception.raised")
        if raised is None:
            return [
                silent("no exception was raised") if examination.ran else missing("it was not run")
            ]
        kind = str(raised.data.get("type"))
        if raised.data.get("quoted"):
            return [missing("no exception was shown")]
        if kind in ("KeyboardInterrupt", "SystemExit"):
            return [silent(f"{kind} ends a program on purpose")]
        message = str(raised.data.get("message")).splitlines() or [""]
        text = raised.data.get("text")
        code = f" in `{text}`" if text else ""
        note = f"{kind}: {message[0][:160]}{code}"
        if raised.at is not None:
            note += f" ({place_text(raised.at)})"
        fact = Fact("exception.raised", note, raised.at, raised.step)
        return [fired(STRONG, fact, note, places=[raised.at], direct=True)]
