"""The answer for a person: key lines of each status, text from scripts never obeyed."""

from __future__ import annotations

import re

import pytest

from diagnoser.report.terminal import to_terminal
from diagnoser.schema import (
    Diagnosis,
    Edit,
    Evidence,
    Fix,
    Location,
    NotEvaluated,
    Question,
    RunSummary,
    SymptomReading,
)
from tests.report.reports import candidate, full_report, report

HOSTILE = "\x1b[31mred\x1b[0m \x07 \x9b2J \u202egnp.exe \u2066 [bold]x[/bold] :smile: \r gone"
RUN = RunSummary(role="probe", name="probe", exit=0, stopped="finished", steps=720, seconds=3.2)
READINGS = (
    SymptomReading(slug="loss-flat", category="x", present="no", note="loss 2.3 to 0.02"),
    SymptomReading(slug="loss-nan", category="x", present="yes", note="NaN at call 12"),
    SymptomReading(slug="slow", category="x", present="not-seen", note="no step was timed"),
)
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")


def sections(text: str) -> dict[str, list[str]]:
    """Lines of the report by the label in their margin."""
    found: dict[str, list[str]] = {}
    label = ""
    for line in text.splitlines():
        match = re.match(r"([A-Z][a-z]+(?: [a-z]+)?) {2,}(.*)", line)
        if match is not None:
            label = match[1]
            found.setdefault(label, []).append(match[2])
        elif label and line.startswith("  "):
            found[label].append(line.strip())
    return found


def test_a_diagnosed_report_says_it_in_its_first_line() -> None:
    first = to_terminal(full_report()).splitlines()[0]
    assert first.startswith("Diagnosed (confirmed, 99 %): missing-zero-grad — ")


def test_the_five_parts_stand_in_their_order() -> None:
    text = to_terminal(full_report())
    found = sections(text)
    order = ["Where", "Evidence", "Fix", "Verified", "Verify", "Prevent"]
    assert [label for label in found if label in order] == order
    assert found["Where"][0].split() == ["train.py:31", "loss.backward()"]
    assert found["Evidence"][0].startswith("E1  In 9 of 10 updates")
    assert found["Fix"][0] == "Clear the gradients once for each update"
    assert found["Verified"][0].startswith("Yes: ")
    assert "last loss: 2.31 before, 0.0465 after" in found["Verified"]
    assert 'printed: "rmse 139.6" before, "rmse 20.4" after' in found["Verified"]


def test_the_change_is_shown_line_by_line() -> None:
    lines = to_terminal(full_report()).splitlines()
    shown = [line.strip() for line in lines]
    assert "+    opt.zero_grad()" in shown
    assert "-    opt.step()" in shown


def test_the_last_line_is_the_next_command() -> None:
    assert to_terminal(full_report()).rstrip().splitlines()[-1] == (
        "Next: diagnoser rules missing-zero-grad"
    )
    flat = report("healthy", question=Question(symptom="it's flat", target="my train.py"))
    assert to_terminal(flat).rstrip().splitlines()[-1] == (
        "Next: diagnoser ask 'it'\"'\"'s flat' 'my train.py' --thorough --budget 300"
    )


def test_other_settled_causes_are_named() -> None:
    both = report("diagnosed", candidate(), candidate("lr-too-high"), diagnosis=None)
    assert "lr-too-high" in to_terminal(both)


@pytest.mark.parametrize(
    ("verified", "words"),
    [
        ("verified", "Yes: "),
        ("symptom-remains", "No: "),
        ("broke-script", "No: "),
        ("not-run", "Not verified"),
    ],
)
def test_it_says_whether_the_change_was_proven(verified: str, words: str) -> None:
    filled = full_report()
    assert filled.diagnosis is not None
    fix = filled.diagnosis.fix.model_copy(update={"verified": verified})
    diagnosis = filled.diagnosis.model_copy(update={"fix": fix})
    text = to_terminal(filled.model_copy(update={"diagnosis": diagnosis}))
    assert sections(text)["Verified"][0].startswith(words)


def test_a_healthy_report_gives_the_numbers_that_clear_it() -> None:
    cleared = Diagnosis(
        diagnosis="Nothing wrong found.",
        evidence=("E1",),
        fix=Fix(summary="Nothing to change"),
        verification="",
        prevention="",
    )
    fact = Evidence(id="E1", collector="modes", kind="mode.calls", summary="Evaluated in eval mode")
    text = to_terminal(
        report("healthy", diagnosis=cleared, evidence=(fact,), symptoms=READINGS, runs=(RUN,))
    )
    assert text.splitlines()[0] == "Nothing wrong found."
    assert "loss-flat" in text
    assert "loss 2.3 to 0.02" in text
    assert "E1  Evaluated in eval mode" in text
    assert "NaN at call 12" not in text
    assert "probe: finished, exit 0, 720 steps, 3.2 s" in text


def test_an_inconclusive_report_says_what_was_seen_and_what_was_not_judged() -> None:
    lacking = NotEvaluated(cause="slow-loader", missing="no loader was seen")
    crashed = RunSummary(
        role="probe", name="probe", exit=1, stopped="crashed", steps=0, seconds=0.1
    )
    text = to_terminal(
        report("inconclusive", symptoms=READINGS, not_evaluated=(lacking,), runs=(crashed,))
    )
    assert text.startswith("Inconclusive: ")
    assert "NaN at call 12" in text
    assert "slow-loader: no loader was seen" in text
    assert "probe: crashed, exit 1, 0 steps, 0.1 s" in text
    assert "--thorough --budget 300" in text


@pytest.mark.parametrize("status", ["not-reproduced", "not-run"])
def test_the_other_statuses_have_a_first_line_of_their_own(status: str) -> None:
    assert to_terminal(report(status)).splitlines()[0].startswith(f"{status.capitalize()[:3]}")


def test_collectors_that_failed_are_named() -> None:
    text = to_terminal(report("healthy", collector_failures=("modes: KeyError: 'x'",)))
    assert sections(text)["Not watched"] == ["modes: KeyError: 'x'"]


def hostile_report():
    place = Location(file=f"tr{HOSTILE}.py", line=3, code=HOSTILE)
    fix = Fix(
        summary=HOSTILE,
        edits=(Edit(file="a.py", line=1, cause="x", before=HOSTILE, after=HOSTILE),),
        before={"printed": HOSTILE},
        after={"printed": f"{HOSTILE} 2"},
        verified="verified",
    )
    return full_report(
        question=Question(symptom=HOSTILE, target=HOSTILE),
        evidence=(Evidence(id="E1", collector="x", kind="x.y", summary=HOSTILE, location=place),),
        diagnosis=Diagnosis(
            diagnosis=HOSTILE,
            evidence=("E1",),
            fix=fix,
            verification=HOSTILE,
            prevention=HOSTILE,
        ),
        candidates=(candidate(locations=(place,), title=HOSTILE),),
        not_evaluated=(NotEvaluated(cause="x", missing=HOSTILE),),
        collector_failures=(HOSTILE,),
        symptoms=(SymptomReading(slug="x", category="x", present="yes", note=HOSTILE),),
    )


@pytest.mark.parametrize("status", ["diagnosed", "healthy", "inconclusive", "not-reproduced"])
def test_control_characters_of_a_script_are_escaped(status: str) -> None:
    shown = hostile_report().model_copy(update={"status": status})
    text = to_terminal(shown, verbose=True, why=True)
    assert CONTROL.findall(text) == []
    assert "\\x1b[31mred" in text


def test_markup_of_a_script_is_shown_as_it_is() -> None:
    text = to_terminal(hostile_report(), verbose=True)
    assert "[bold]x[/bold]" in text
    assert ":smile:" in text


def test_colours_come_from_us_only() -> None:
    coloured = to_terminal(hostile_report(), color=True, verbose=True, width=100)
    assert "\x1b[" in coloured
    ours = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert CONTROL.findall(ours) == []


def test_lines_fit_the_width_but_for_the_next_command() -> None:
    lines = to_terminal(full_report(), width=72).rstrip().splitlines()
    assert max(len(line) for line in lines[:-1]) <= 72


def test_why_adds_up_the_decibans() -> None:
    text = to_terminal(full_report(), why=True)
    assert "+20  fired: carried in 9 of 10 [E1]" in text
    assert "in all: 99.0 %" in text
