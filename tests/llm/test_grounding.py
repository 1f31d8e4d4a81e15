"""An answer must cite what was measured, quote what stands there, and respect what is proven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from diagnoser.llm.grounding import Grounded, Known, ground
from diagnoser.llm.masking import hides_symptom
from diagnoser.llm.wire import Malformed, WireAnswer, parse_answer
from diagnoser.schema import Grade
from tests.llm.conftest import answer

FOLDER = Path("/home/ada/project")
TRAIN = """\
import torch

def run(model, rows):
    for row in rows:
        loss = model(row).mean()
        loss.backward()
    return loss
"""
WINDOWS = "a = 1\r\nb = 2\r\n"
LINE = "        loss.backward()"
STEP = f"{LINE}\n        optimizer.step()"


def known(grades: dict[str, Grade] | None = None, *, faulty: bool = True) -> Known:
    return Known(
        evidence=frozenset({"E1", "E2"}),
        causes=frozenset({"lr-too-high", "missing-zero-grad", "missing-optimizer-step"}),
        grades=grades or {},
        sources={
            f"{FOLDER}/train.py": TRAIN,
            f"{FOLDER}/net/dos.py": WINDOWS,
            "/home/ada/elsewhere.py": "x = 1\n",
        },
        folder=FOLDER,
        faulty=faulty,
    )


def check(
    *edits: tuple[str, int, str, str], of: Known | None = None, **more: Any
) -> tuple[Grounded | None, list[str]]:
    listed = [dict(zip(("file", "line", "before", "after"), edit, strict=True)) for edit in edits]
    told = {**answer(cause="missing-optimizer-step", edits=listed), **more}
    return ground(WireAnswer.model_validate(told), of or known())


def accepted(*edits: tuple[str, int, str, str]) -> Grounded:
    grounded, reasons = check(*edits)
    assert grounded is not None, reasons
    return grounded


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LINE, STEP),
        (f"{LINE}\n", f"{STEP}\n"),
        (f"\n{LINE}  \n\n", f"{STEP}   \n\n"),
        ("loss.backward()", "loss.backward()\noptimizer.step()"),
        ("    loss.backward()", "    loss.backward()\n    optimizer.step()"),
    ],
)
def test_blanks_around_a_quote_are_tolerated_and_become_the_files_own(
    before: str, after: str
) -> None:
    (edit,) = accepted(("train.py", 6, before, after)).edits
    assert edit.before == LINE
    assert edit.after == STEP
    assert edit.file == f"{FOLDER}/train.py"


def test_line_ends_and_deeper_lines_are_kept() -> None:
    found = accepted(
        ("net/dos.py", 2, "b = 2", "if a:\n    b = 3"),
        ("train.py", 6, "loss.backward()", "if True:\n    loss.backward()"),
    )
    assert found.patched[f"{FOLDER}/net/dos.py"] == "a = 1\r\nif a:\r\n    b = 3\r\n"
    assert "        if True:\n            loss.backward()" in found.patched[f"{FOLDER}/train.py"]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (("train.py", 5, LINE, STEP), "does not stand at train.py:5; there stands 'loss = model"),
        (("train.py", 0, LINE, STEP), "there stands 'nothing'"),
        (("train.py", -3, LINE, STEP), "there stands 'nothing'"),
        (("train.py", 7, f"    return loss\n{LINE}", STEP), "does not stand"),
        (("train.py", 6, "", STEP), "before is empty"),
        (("train.py", 6, LINE, LINE), "are the same"),
        (("train.py", 6, LINE, "  loss.backward("), "no longer compiles"),
        (("other.py", 6, LINE, STEP), "none of the user's own files"),
        (("../elsewhere.py", 1, "x = 1", "x = 2"), "none of the user's own files"),
        (("/home/ada/elsewhere.py", 1, "x = 1", "x = 2"), "none of the user's own files"),
        (("", 1, "x = 1", "x = 2"), "none of the user's own files"),
    ],
)
def test_what_is_no_edit_of_the_users_own_lines(edit: tuple[str, int, str, str], said: str) -> None:
    grounded, reasons = check(edit)
    assert grounded is None
    assert any(said in reason for reason in reasons), reasons


def test_two_edits_of_one_line_are_refused() -> None:
    grounded, reasons = check(("train.py", 6, LINE, STEP), ("train.py", 6, LINE, STEP + "  # a"))
    assert grounded is None
    assert reasons == ["two edits touch the same line"]


@pytest.mark.parametrize(
    ("cause", "grades", "faulty", "said"),
    [
        ("lr-too-high", {"missing-zero-grad": "confirmed"}, True, "cannot be overruled"),
        ("other", {"missing-zero-grad": "confirmed"}, True, "cannot be overruled"),
        ("missing-zero-grad", {"missing-zero-grad": "confirmed"}, True, ""),
        ("lr-too-high", {"missing-zero-grad": "observed"}, True, ""),
        ("lr-too-high", {"lr-too-high": "refuted"}, True, "cannot be named again"),
        ("lr_too_high", {}, True, "there is no cause 'lr_too_high'"),
        ("", {}, True, "there is no cause ''"),
        ("other", {}, True, ""),
        ("none", {}, True, "a fault was measured"),
        ("none", {}, False, ""),
    ],
)
def test_what_is_proven_binds(
    cause: str, grades: dict[str, Grade], faulty: bool, said: str
) -> None:
    _, reasons = check(of=known(grades, faulty=faulty), cause=cause)
    assert [said in reason for reason in reasons] == ([True] if said else [])


def test_all_that_is_wrong_is_said_at_once() -> None:
    _, reasons = check(
        ("train.py", 5, LINE, STEP), evidence=["E9"], diagnosis=" ", cause="gremlins"
    )
    assert len(reasons) == 4


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("f(x)", "try:\n    f(x)\nexcept Exception:\n    print(1)", "catches the exception"),
        ("f(x)", "f(torch.nan_to_num(x))", "nan_to_num"),
        ("f(x)", "f(x.nan_to_num())", "nan_to_num"),
        (
            "for x in y:\n    f(x)",
            "for x in y:\n    if x:\n        continue\n    f(x)",
            "skips work",
        ),
        ("f(x)", "sys.exit(0)\nf(x)", "ends the script early"),
        ("loss.backward()\no.step()", "o.step()", "no longer computes gradients"),
        ("f(x)", "with contextlib.suppress(ValueError):\n    f(x)", "swallows"),
        ("f(x)", "warnings.filterwarnings('ignore')\nf(x)", "silences warnings"),
    ],
)
def test_a_change_that_hides_the_symptom_is_named(before: str, after: str, said: str) -> None:
    assert any(said in reason for reason in hides_symptom(before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("loss.backward()", "optimizer.zero_grad()\nloss.backward()"),
        ("try:\n    f()\nexcept E:\n    g()", "try:\n    h()\nexcept E:\n    g()"),
        ("x.log()", "x.clamp_min(1e-9).log()"),
        ("a.step()\nb.step()", "a.step()"),
        ("def f(x):\n    return", "def f(x):\n    return x"),
    ],
)
def test_ordinary_repairs_hide_nothing(before: str, after: str) -> None:
    assert hides_symptom(before, after) == []


@pytest.mark.parametrize(
    "text",
    [
        "{whole}",
        "Here it is:\n```json\n{whole}\n```\nDone {{really}}.",
        "{{not json}} then {whole}",
        "\ufeff {whole}",
    ],
)
def test_the_first_balanced_object_is_read(text: str) -> None:
    import json

    whole = json.dumps(answer())
    read = parse_answer(text.replace("{{", "{").replace("}}", "}").replace("{whole}", whole))
    assert read.cause == "optimizer-wrong-parameters"


def test_control_characters_in_strings_are_let_through() -> None:
    import json

    text = json.dumps(answer(diagnosis="one\ntwo")).replace("\\n", "\n")
    assert parse_answer(text).diagnosis == "one\ntwo"


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "{" * 5000, '{"a": 1}', '"x"'])
def test_what_is_no_answer_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        parse_answer(text)
