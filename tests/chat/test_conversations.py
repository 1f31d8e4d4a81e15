"""Eight conversations on a terminal, each from a symptom to a fix or to the pattern."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from diagnoser.evaluate.cases import load_case
from tests.chat.terminal import PROMPT, Terminal
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Case:
    """A case, what is asked after the answer, and whether the change is worked out exactly."""

    name: str
    cause: str
    question: str
    reply: str
    exact: bool


CASES = (
    Case("optim-001", "missing-zero-grad", "why not the learning rate", "lr-too-high", True),
    Case("loss-001", "softmax-before-cross-entropy", "is it also nan?", "loss-nan: no", True),
    Case("loss-003", "sigmoid-before-bce-with-logits", "what did it print", "printed", True),
    Case("autograd-007", "numpy-on-grad-tensor", "what else", "", True),
    Case("crash-009", "view-on-noncontiguous", "show me E1", "Kind exception.raised", True),
    Case("modes-001", "missing-eval-mode", "are you sure?", "training mode", False),
    Case("rate-001", "lr-too-high", "could it be the data?", "nonfinite-input", False),
    Case("crash-001", "missing-batch-dimension", "what next", "unsqueeze", False),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_from_the_symptom_to_the_end(
    case: Case, case_folder: Callable[[str], Path], terminal: Callable[..., Terminal]
) -> None:
    known = load_case(REPOSITORY / "eval_cases" / case.name)
    folder = case_folder(case.name)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    chat = terminal(known.target, "--", *known.args, cwd=folder)
    chat.wait(PROMPT)
    said = chat.ask(known.symptom)
    assert f"): {case.cause}" in said
    assert case.reply in chat.ask(case.question)
    assert case.cause in chat.ask("why")
    said = chat.ask("how do I fix it")
    if case.exact:
        assert "Yes: re-run with this change, the symptom is gone." in said
        assert "Written: " in chat.ask("apply it")
        assert {path: path.read_bytes() for path in before} != before
        said = chat.ask("I changed it, try again")
        assert f"{case.cause} before, " in said
        assert "byte for byte" in chat.ask("undo that")
    else:
        assert "The pattern, to be changed by hand" in said
        assert "no exact edit" in chat.ask("apply it")
        line = next(place.line for place in known.locations)
        assert f"> {line:4d}  " in chat.ask(f"show me line {line}")
    assert {path: path.read_bytes() for path in before} == before
    assert "diagnoser itself failed" not in chat.text
    chat.press("bye\r")
    assert chat.exit_code() == 0
