"""`diagnoser ask`: the answer on standard output, progress on standard error, exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from diagnoser.report.json_schema import schema_text
from tests.cli.conftest import HEALTHY, Said, run_as_user
from tests.conftest import REPOSITORY

Diagnoser = Callable[..., Said]
Write = Callable[..., Path]
SCHEMA = REPOSITORY / "docs" / "report.schema.json"


def test_the_committed_schema_is_what_the_types_generate() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()


def test_the_schema_is_a_schema_and_refuses_what_is_no_report() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": "diagnoser/1", "status": "fine"}, schema)


def test_json_on_standard_output_keeps_to_the_schema(broken_json: Said) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    report = json.loads(broken_json.out)
    jsonschema.validate(report, schema)
    assert report["status"] == "diagnosed"
    assert report["question"]["target"] == "train.py"
    first = report["candidates"][0]
    assert first["cause"] == "missing-zero-grad"
    assert first["locations"][0]["file"] == "train.py"
    assert report["diagnosis"]["fix"]["verified"] == "verified"
    assert report["diagnosis"]["fix"]["edits"][0]["after"].endswith("optimizer.zero_grad()")
    assert report["runs"][0]["role"] == "probe"


def test_progress_stands_on_standard_error_only(broken_json: Said) -> None:
    assert any("probe run" in line for line in broken_json.complaint)
    assert broken_json.out.startswith("{")
    assert "\x1b" not in broken_json.out + broken_json.err


def test_a_diagnosed_fault_is_exit_code_1_where_that_is_asked_for(broken_json: Said) -> None:
    assert broken_json.code == 1


def test_no_temporary_path_stands_in_the_answer(broken_json: Said) -> None:
    assert "/diagnoser-" not in broken_json.out


def test_the_answer_is_text_without_colours_where_there_is_no_terminal(
    broken_folder: Path,
) -> None:
    said = run_as_user("ask", "it climbs", "train.py", "--why", cwd=broken_folder, FORCE_COLOR="1")
    assert said.code == 0
    assert said.out.startswith("Diagnosed (confirmed, ")
    assert "missing-zero-grad" in said.out.splitlines()[0]
    assert said.out.splitlines()[-1] == "Next: diagnoser rules missing-zero-grad"
    assert "\x1b" not in said.out + said.err
    assert "in all: " in said.out


def test_a_healthy_script_is_cleared_with_exit_code_0(
    diagnoser: Diagnoser, write_script: Write, tmp_path: Path
) -> None:
    output = tmp_path / "answer.json"
    words = ("--json", "--output", str(output), "--exit-code", "--quiet")
    said = diagnoser("ask", "does it learn at all?", str(write_script(HEALTHY)), *words)
    assert said == Said(0, "", "")
    report = json.loads(output.read_text(encoding="utf-8"))
    assert report["status"] == "healthy"
    assert report["candidates"] == [] or report["candidates"][0]["grade"] == "suspected"
    assert report["diagnosis"]["evidence"]


def test_a_syntax_error_is_an_answer_with_its_line(
    diagnoser: Diagnoser, write_script: Write
) -> None:
    script = write_script("import torch\n\nmodel = torch.nn.Linear(4, 1\nprint(model)\n")
    said = diagnoser("ask", "it does not start", str(script), "--json", "--quiet")
    assert said.code == 0
    report = json.loads(said.out)
    assert report["status"] == "diagnosed"
    assert report["candidates"][0]["cause"] == "python-error"
    assert report["candidates"][0]["locations"][0]["line"] == 3
    assert "SyntaxError" in report["diagnosis"]["diagnosis"]


def test_without_a_run_nothing_is_run(
    diagnoser: Diagnoser, write_script: Write, tmp_path: Path
) -> None:
    script = write_script(f"open({str(tmp_path / 'trace')!r}, 'w')\n")
    said = diagnoser("ask", "flat", str(script), "--no-run", "--json", "--exit-code")
    report = json.loads(said.out)
    assert (report["status"], report["runs"], said.code) == ("not-run", [], 3)
    assert not (tmp_path / "trace").exists()


def test_a_program_that_cannot_be_judged_is_inconclusive(diagnoser: Diagnoser) -> None:
    said = diagnoser("ask", "flat", "--exit-code", "--quiet", "--", "sh", "-c", "exit 3")
    assert said.code == 3
    assert said.out.startswith("Inconclusive")
    assert "exit 3" in said.out
    assert "Not evaluated" in said.out


def test_words_alone_get_an_answer_that_says_what_it_rests_on(diagnoser: Diagnoser) -> None:
    said = diagnoser("ask", "the loss is NaN")
    assert said.code == 0
    assert said.out.startswith("Diagnosed (suspected, ")
    assert "Nothing was run" in said.out
    assert said.err == ""


@pytest.mark.parametrize("words", ["out of memory", "it is slow", "too good to be true"])
def test_words_that_no_cause_explains_are_answered_too(words: str, diagnoser: Diagnoser) -> None:
    said = diagnoser("ask", words)
    assert said.code == 0, said.err
    assert said.out


def test_a_pasted_traceback_is_read(diagnoser: Diagnoser) -> None:
    text = (
        'Traceback (most recent call last):\n  File "train.py", line 8, in <module>\n'
        "    model(x)\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 4x4)\n"
    )
    said = diagnoser("ask", text, "--json")
    report = json.loads(said.out)
    assert report["candidates"][0]["cause"] == "matmul-shape-mismatch"
    assert report["candidates"][0]["grade"] == "suspected"
    assert report["candidates"][0]["locations"][0]["line"] == 8


def test_arguments_of_the_script_stand_behind_the_dashes(
    diagnoser: Diagnoser, write_script: Write
) -> None:
    script = write_script("import sys\nassert sys.argv[1:] == ['--lr', '3'], sys.argv\n")
    said = diagnoser("ask", "", str(script), "--json", "--quiet", "--", "--lr", "3")
    report = json.loads(said.out)
    assert report["question"]["args"] == ["--lr", "3"]
    assert [run["exit"] for run in report["runs"]] == [0]


def test_records_are_kept_where_they_are_asked_for(
    diagnoser: Diagnoser, write_script: Write, tmp_path: Path
) -> None:
    script = write_script("print('ran')\n")
    diagnoser("ask", "", str(script), "--record", str(tmp_path / "kept"), "--quiet")
    kept = list((tmp_path / "kept").rglob("*.jsonl"))
    assert kept
    assert '"kind":"run.start"' in kept[0].read_text()
