"""What a user sees of the model on the command line: options, exit codes, and no key anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnoser.cli.main import run
from tests.llm.conftest import ABOUT_WORDS, KEY, SCRIPT, WORDS, answer
from tests.model_server import ModelServer, Reply, refuses, says

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run `diagnoser ask` in this process; the key must not be seen."""

    def call(*words: str) -> tuple[int, str, str]:
        code = run(["ask", *words])
        said = capsys.readouterr()
        assert KEY not in said.out + said.err
        assert "Traceback" not in said.out + said.err
        return code, said.out, said.err

    return call


def test_a_model_writes_about_words(ask: Ask) -> None:
    with ModelServer(says(ABOUT_WORDS)) as server:
        code, out, _ = ask(WORDS, "--base-url", server.url, "--model", "scripted", "--json")
    report = json.loads(out)
    assert code == 0
    assert report["status"] == "diagnosed"
    assert report["candidates"][0]["cause"] == "lr-too-high"
    assert report["candidates"][0]["grade"] == "suspected"
    assert report["diagnosis"]["source"] == "model"
    assert report["provenance"]["model"] == "scripted"
    assert report["provenance"]["tokens"] == 321
    assert len(report["provenance"]["prompt"]) == 12
    assert server.asked[0].authorization == f"Bearer {KEY}"


@pytest.mark.parametrize("words", ["half \ud800 a character", "\x1b[31mred\x1b[0m", "x" * 90_000])
def test_whatever_a_model_writes_can_be_shown(ask: Ask, words: str) -> None:
    told = {**ABOUT_WORDS, "diagnosis": words, "fix_summary": words, "prevention": words}
    with ModelServer(says(told)) as server:
        flags = ["--base-url", server.url, "--model", "scripted"]
        for form in ("json", "terminal"):
            code, out, _ = ask(WORDS, *flags, "--format", form, "--verbose")
            assert code == 0
            assert words[:4] in out or "\x1b" in words
            assert "\x1b" not in out
            assert len(out) < 30_000


def test_the_terminal_names_the_model_and_what_is_its_own(ask: Ask) -> None:
    with ModelServer(says(ABOUT_WORDS)) as server:
        _, out, _ = ask(WORDS, "--base-url", server.url, "--model", "scripted")
    text = " ".join(out.split())
    assert "Model scripted (prompt " in text
    assert "no run has shown it" in text


@pytest.mark.parametrize("exit_code", [False, True])
@pytest.mark.parametrize(
    "reply", [refuses(401, f"bad key {KEY}"), refuses(500, retry_after="0"), says("prose")]
)
def test_a_failing_model_changes_no_exit_code(ask: Ask, reply: Reply, exit_code: bool) -> None:
    more = ["--exit-code"] if exit_code else []
    plain, _, _ = ask(WORDS, "--no-llm", *more)
    with ModelServer(reply) as server:
        code, out, _ = ask(WORDS, "--base-url", server.url, "--model", "scripted", *more)
    assert code == plain
    assert "Model" in out


def test_a_script_with_a_fix_of_the_model(ask: Ask, folder: Path) -> None:
    before = (folder / "train.py").read_bytes()
    with ModelServer(says(answer())) as server:
        code, out, err = ask(
            *("the loss never moves", str(folder / "train.py"), "--exit-code"),
            *("--base-url", server.url, "--model", "scripted"),
        )
    assert code == 1
    assert "Diagnosed (confirmed" in out
    assert "+optimizer = torch.optim.SGD(model.parameters(), lr=0.1)" in out
    assert "Yes: re-run with this change, the symptom is gone." in out
    assert "the change above is its own" in " ".join(out.split())
    assert "re-run with the model's change" in err
    assert (folder / "train.py").read_bytes() == before


def test_no_llm_asks_nobody(ask: Ask) -> None:
    with ModelServer(says(ABOUT_WORDS)) as server:
        code, out, _ = ask(WORDS, "--base-url", server.url, "--model", "scripted", "--no-llm")
    assert (code, server.asked) == (0, [])
    assert "scripted" not in out


def test_stages_without_llm_ask_nobody(ask: Ask) -> None:
    with ModelServer(says(ABOUT_WORDS)) as server:
        ask(WORDS, "--base-url", server.url, "--model", "scripted", "--stages", "audit,probe")
    assert server.asked == []


@pytest.mark.parametrize("form", ["terminal", "json"])
def test_show_prompt_prints_what_would_be_sent_and_sends_nothing(
    ask: Ask, folder: Path, form: str
) -> None:
    question = ["the loss never moves", str(folder / "train.py")]
    with ModelServer(says(answer())) as server:
        flags = ["--base-url", server.url, "--model", "scripted"]
        code, out, _ = ask(*question, *flags, "--show-prompt", "--format", form)
        assert (code, server.asked) == (0, [])
        ask(*question, *flags, "--llm")
        (asked,) = server.asked
    if form == "json":
        shown = json.loads(out)
        assert shown["response_format"] == asked.body["response_format"]
        assert shown["messages"][0] == asked.body["messages"][0]
    assert "    8| optimizer = torch.optim.SGD(head.parameters(), lr=0.1)" in out.replace(
        "\\n", "\n"
    )


def test_show_prompt_needs_no_key(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DIAGNOSER_API_KEY")
    code, out, _ = ask(WORDS, "--show-prompt")
    assert code == 0
    assert out.startswith("POST https://api.openai.com/v1/chat/completions\n")
    assert WORDS in out


@pytest.mark.parametrize(
    ("words", "environ", "complaint"),
    [
        ((WORDS, "--llm"), {"DIAGNOSER_API_KEY": ""}, "--llm asks for a model, and none is"),
        ((WORDS, "--show-prompt", "--base-url", "ftp://x"), {}, "the model cannot be used"),
        ((WORDS,), {"DIAGNOSER_MODLE": "x"}, "the environment sets 'modle'"),
        ((WORDS,), {"DIAGNOSER_BUDGET": "0"}, "the environment sets budget"),
    ],
)
def test_what_cannot_be_used_is_two_lines(
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    environ: dict[str, str],
    complaint: str,
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    code, out, err = ask(*words)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {complaint}")
    assert len(err.splitlines()) == 2


def test_a_suite_with_the_stage_llm_needs_a_model_that_may_be_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = ["--stages", "audit,probe,experiments,verify,llm"]
    assert run(["eval", *stages]) == 2
    assert "nobody agreed to send to api.openai.com" in capsys.readouterr().err
    monkeypatch.delenv("DIAGNOSER_API_KEY")
    assert run(["eval", *stages]) == 2
    assert "none is configured" in capsys.readouterr().err


def test_a_suite_can_be_asked_with_a_model(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = folder / "case"
    (case / "broken").mkdir(parents=True)
    (case / "fixed").mkdir()
    (case / "broken" / "train.py").write_text(SCRIPT)
    (case / "fixed" / "train.py").write_text(SCRIPT.replace("head.parameters", "model.parameters"))
    (case / "case.toml").write_text(
        'mode = "script"\nsymptom = "it never moves"\ntarget = "train.py"\n'
        'causes = ["optimizer-wrong-parameters"]\nlocations = ["train.py:8"]\n'
    )

    def reply(asked: object) -> Reply:
        broken = "head.parameters(), lr" in str(getattr(asked, "last", ""))
        return says(answer() if broken else answer(cause="none", edits=[]))

    with ModelServer(reply) as server:
        flags = ["--base-url", server.url, "--model", "scripted", "--json"]
        code = run(["eval", str(case), "--stages", "probe,experiments,verify,llm", *flags])
    (entry,) = json.loads(capsys.readouterr().out)["stage_sets"]
    assert code == 0
    assert len(server.asked) == 2
    assert entry["score"]["pairs"]["value"] == 1.0
    assert entry["score"]["fixes_verified"]["value"] == 1.0
