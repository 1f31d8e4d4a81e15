"""A turn of a conversation streams; what breaks it off is said."""

from __future__ import annotations

import pytest

from diagnoser.errors import ModelError
from diagnoser.llm.converse import converse
from diagnoser.report.work import Work
from diagnoser.settings import Settings
from tests.llm.conftest import KEY
from tests.model_server import ModelServer, Reply, refuses, streams


def say(work: Work, server: ModelServer, parts: list[str]) -> None:
    settings = Settings(model="scripted", base_url=server.url, model_timeout=2)
    for part in converse(work, f"why? my key is {KEY}", ["user: hello"], settings, None):
        parts.append(part)


def test_the_answer_comes_in_pieces_and_the_question_goes_without_secrets(golden: Work) -> None:
    parts: list[str] = []
    with ModelServer(streams(["It is ", "the optimizer (E1)."])) as server:
        say(golden, server, parts)
    assert parts == ["It is ", "the optimizer (E1)."]
    (asked,) = server.asked
    assert asked.body["stream"] is True
    assert "| why? my key is [redacted]" in asked.last
    assert "| user: hello" in asked.last


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (streams(["It is"], None), "broke off"),
        (streams(["It is"], "length"), r"was cut \(length\)"),
        (
            Reply(body=streams(["It is ", "the"]).body, cut_after=250, kind="text/event-stream"),
            "broke off",
        ),
        (refuses(401, KEY), "refused the key"),
        (Reply(hold=True), "within 2 s"),
        (Reply(body=b"data: {not json}\n\n", kind="text/event-stream"), "broke off"),
    ],
)
def test_what_goes_wrong_is_a_model_error_without_the_key(
    golden: Work, reply: Reply, said: str
) -> None:
    parts: list[str] = []
    with ModelServer(reply) as server, pytest.raises(ModelError, match=said) as error:
        say(golden, server, parts)
    assert KEY not in str(error.value)
