"""On a terminal: whatever is typed or pasted, never a Python traceback, never a lost session."""

from __future__ import annotations

import os
import signal
import tempfile
import textwrap
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chat.terminal import PROMPT, Terminal
from tests.cli.test_interrupt import WAITS, carrying

PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
CTRL_C, CTRL_D = "\x03", "\x04"


@pytest.fixture
def chat(terminal: Callable[..., Terminal]) -> Terminal:
    """A conversation without a target, at its first prompt."""
    started = terminal()
    started.wait(PROMPT)
    return started


def alive(chat: Terminal) -> None:
    """It still answers, and never showed a traceback of its own."""
    chat.mark()
    chat.press("\r/help\r")
    chat.wait(lambda said: PROMPT in said.partition("/candidates")[2])
    assert "diagnoser itself failed" not in chat.text
    assert "diagnoser/chat" not in chat.text
    assert "prompt_toolkit" not in chat.text
    chat.press(CTRL_D)
    assert chat.exit_code() == 0


def test_ctrl_d_leaves(chat: Terminal) -> None:
    chat.press(CTRL_D)
    assert chat.exit_code() == 0


def test_a_pasted_traceback_is_one_question(chat: Terminal) -> None:
    lines = [
        "Traceback (most recent call last):",
        '  File "/home/me/train.py", line 12, in <module>',
        "    loss.backward()",
        "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn",
    ]
    chat.mark()
    chat.press(PASTE_BEGINS + "\n".join(lines) + PASTE_ENDS)
    chat.wait("grad_fn")
    assert "no-grad-graph" in chat.ask("")
    assert "it ends" not in chat.ask("why")
    chat.press(CTRL_D)
    assert chat.exit_code() == 0


def test_a_paste_of_5000_lines_is_one_question(chat: Terminal) -> None:
    epochs = [f"epoch {n} step {n * 7} loss {2.3 - n / 5000:.4f} accuracy 0.1" for n in range(4998)]
    text = "\n".join(
        [*epochs, "then", "RuntimeError: CUDA out of memory. Tried to allocate 20 MiB"]
    )
    chat.mark()
    chat.press(PASTE_BEGINS + text + PASTE_ENDS)
    chat.wait("[pasted 1: 5000 lines]")
    assert "out-of-memory" in chat.ask("")
    alive(chat)


@pytest.mark.parametrize(
    "line",
    [
        "\x1b[31mred\x1b[0m \x07 bell",
        "".join(chr(n) for n in range(1, 32) if n not in (3, 4, 10, 13, 26)),
        "(why [does {it",
        '/target "unfinished',
        "/ask 'the loss is nan",
        "/evidence [",
        "/why ((",
        "show me line 99999999999999999999",
        "\u202eright to left \U000e0041",
        "/",
        "//",
        "/ /",
        "%s %d {} \\",
    ],
)
def test_odd_lines_change_nothing(chat: Terminal, line: str) -> None:
    chat.press(PASTE_BEGINS + line + PASTE_ENDS + "\r")
    chat.press(line + "\x05\r")
    alive(chat)


def test_a_paste_that_never_ends_is_left_with_ctrl_c(chat: Terminal) -> None:
    chat.press(PASTE_BEGINS + "the loss is\nnan")
    chat.mark()

    def left(said: str) -> bool:
        chat.press(CTRL_C)
        return "Ctrl-D or /quit leaves" in said

    chat.wait(left)
    alive(chat)


def test_ten_times_ctrl_c_at_the_prompt(chat: Terminal) -> None:
    chat.press(CTRL_C * 10)
    alive(chat)


def test_ten_times_ctrl_c_end_the_run_and_keep_the_conversation(
    terminal: Callable[..., Terminal], write_script: Callable[..., Path]
) -> None:
    mark = uuid.uuid4().hex
    script = write_script(WAITS)
    chat = terminal(script.name, "--", mark, cwd=script.parent)
    chat.wait(PROMPT)
    chat.mark()
    chat.press("it hangs and nothing ever comes\r")
    chat.wait(lambda _: bool(carrying(mark)))
    for _ in range(10):
        os.kill(chat.pid, signal.SIGINT)
        chat.press(CTRL_C)
    chat.wait(lambda said: PROMPT in said.partition("Cancelled")[2])
    assert carrying(mark) == []
    alive(chat)


def test_a_cancelled_run_keeps_the_last_answer(
    terminal: Callable[..., Terminal], write_script: Callable[..., Path]
) -> None:
    mark = uuid.uuid4().hex
    script = write_script(
        """
        import sys, time
        if "wait" in open(sys.argv[2]).read():
            import signal
            signal.pause()
        raise ValueError("the table has 3 columns")
        """
    )
    (script.parent / "mode.txt").write_text("go")
    chat = terminal(script.name, "--", mark, "mode.txt", cwd=script.parent)
    chat.wait(PROMPT)
    assert "python-error" in chat.ask("it crashes")
    (script.parent / "mode.txt").write_text("wait")
    chat.mark()
    chat.press("/run\r")
    chat.wait("probe run")
    chat.press(CTRL_C)
    chat.wait(lambda said: PROMPT in said.partition("Cancelled")[2])
    assert "python-error" in chat.ask("why")
    alive(chat)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_it_ends_at_the_prompt_when_told_to(chat: Terminal, number: signal.Signals) -> None:
    os.kill(chat.pid, number)
    assert chat.exit_code() == 130
    assert "Traceback" not in chat.text


def test_nothing_is_left_in_the_temporary_folder(
    terminal: Callable[..., Terminal],
    write_script: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tempfile.TemporaryDirectory() as short:
        monkeypatch.setenv("TMPDIR", short)
        script = write_script("print(1)")
        left_at_once = terminal(script.name, cwd=script.parent)
        left_at_once.wait(PROMPT)
        left_at_once.press(CTRL_D)
        assert left_at_once.exit_code() == 0
        mark = uuid.uuid4().hex
        script = write_script(WAITS)
        cancelled = terminal(script.name, "--", mark, cwd=script.parent)
        cancelled.wait(PROMPT)
        cancelled.press("/run\r")
        cancelled.wait(lambda _: bool(carrying(mark)))
        cancelled.press(CTRL_C)
        cancelled.wait("Cancelled")
        alive(cancelled)
        assert list(Path(short).glob("diagnoser-*")) == []


def test_a_plain_prompt_where_the_terminal_can_do_little(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = terminal("--no-color", term="dumb")
    chat.wait(PROMPT)
    assert "lr-too-high" in chat.ask("the loss is nan")
    assert "there is no command /nothing" in chat.ask("/nothing")
    chat.mark()
    chat.press(CTRL_C)
    chat.wait(lambda said: PROMPT in said.partition("Cancelled")[2])
    assert "lr-too-high" in chat.ask("why")
    chat.press(CTRL_D)
    assert chat.exit_code() == 0
    assert "\x1b" not in chat.text


def test_a_hangup_ends_it_with_its_run(
    terminal: Callable[..., Terminal], write_script: Callable[..., Path]
) -> None:
    mark = uuid.uuid4().hex
    script = write_script(WAITS)
    chat = terminal(script.name, "--", mark, cwd=script.parent)
    chat.wait(PROMPT)
    chat.press("/run\r")
    chat.wait(lambda _: bool(carrying(mark)))
    os.kill(chat.pid, signal.SIGTERM)
    assert chat.exit_code() == 130
    assert carrying(mark) == []
    assert "Traceback" not in chat.text


def test_text_from_a_script_does_not_act_on_the_terminal(
    terminal: Callable[..., Terminal], write_script: Callable[..., Path]
) -> None:
    script = write_script(
        textwrap.dedent(
            """
            print("\\x1b]0;owned\\x07\\x1b[2J")  # \u202e
            raise ValueError("\\x1b[31mred\\x9b31m")
            """
        )
    )
    chat = terminal(script.name, cwd=script.parent)
    chat.wait(PROMPT)
    chat.ask("it crashes")
    chat.ask("what did it print")
    chat.ask("show me line 2")
    assert "\x1b]0;owned" not in chat.text
    assert "\x1b[31mred" not in chat.text
    assert "\x9b" not in chat.text
    assert "\u202e" not in chat.text
    assert "\\x1b]0;owned" in chat.text
    alive(chat)
