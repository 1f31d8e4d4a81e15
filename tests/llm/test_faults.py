"""Whatever a server does, the rules' report stands, and one line says why there is no more."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

import pytest

from diagnoser.schema import Report
from tests.llm.conftest import EDIT, KEY, answer
from tests.model_server import ModelServer, Reply, calls_tool, refuses, says

ReportOf = Callable[..., Report]


def check_rules_stand(report: Report) -> None:
    """The report is that of the rules, with a note."""
    assert report.status == "diagnosed"
    assert report.candidates[0].cause == "optimizer-wrong-parameters"
    assert report.candidates[0].grade == "observed"
    assert report.diagnosis is not None
    assert report.diagnosis.source == "rules"
    assert report.diagnosis.fix.edits == ()
    assert report.provenance.note
    assert "\n" not in report.provenance.note


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (says("The optimizer is wrong, I would say."), "no JSON object"),
        (says(answer(evidence="E1", line="eight")), "evidence: "),
        (says({"diagnosis": "short"}), "cause: Field required"),
        (says(answer(evidence=["E1", "E999"])), "there is no evidence E999"),
        (says(answer(evidence=[])), "cites no evidence"),
        (says(answer(diagnosis="  ")), "the diagnosis is empty"),
        (says(answer(cause="gremlins")), "there is no cause 'gremlins'"),
        (says(answer(edits=[{**EDIT, "before": "opt = Adam()"}])), "does not stand at train.py:8"),
        (says(answer(edits=[{**EDIT, "line": 800}])), "does not stand at train.py:800"),
        (says(answer(edits=[{**EDIT, "file": "/etc/passwd"}])), "none of the user's own files"),
        (says(answer(edits=[{**EDIT, "after": "optimizer = ("}])), "no longer compiles"),
        (says(answer(edits=[{**EDIT, "after": "x = '\0'"}])), "no longer compiles"),
        (says(None), "its answer is empty"),
        (says("", "stop"), "its answer is empty"),
        (says(answer(), "length"), "cut at its length limit"),
        (says(answer(), "content_filter"), "content filter"),
        (says(answer(), None), "broke off"),
        (Reply(body=b"[]"), "no JSON object"),
        (Reply(body=b"not json at all"), "no JSON"),
        (Reply(body=b'{"choices": []}'), "no message"),
        (Reply(body=b'{"choices": 3, "usage": "many"}'), "no message"),
        (refuses(401, f"Incorrect API key provided: {KEY}."), "refused the key (401)"),
        (refuses(403), "refused the key (403)"),
        (refuses(404, "The model does not exist"), "(404): The model does not exist"),
        (refuses(422, "unprocessable"), "answered 422: unprocessable"),
        (refuses(400, "maximum context length is 2048 tokens"), "too long for it"),
        (refuses(429, retry_after="3600"), "asks to wait 3600 s"),
        (refuses(307, location="http://127.0.0.1:9/v1"), "answered 307"),
        (Reply(status=502, body=b"<html>bad gateway</html>", kind="text/html"), "answered 502"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_answer_that_cannot_be_used(report_of: ReportOf, reply: Reply, said: str) -> None:
    with ModelServer(reply) as server:
        report = report_of(server)
    check_rules_stand(report)
    assert said in str(report.provenance.note)


def test_a_refusal(report_of: ReportOf) -> None:
    body = (
        b'{"choices": [{"finish_reason": "stop", "message": {"refusal": "no", "content": null}}]}'
    )
    with ModelServer(Reply(body=body)) as server:
        report = report_of(server)
    check_rules_stand(report)
    assert report.provenance.note == "the model was not used: it refused to answer"
    assert len(server.asked) == 1


@pytest.mark.parametrize("length", [0, 40])
def test_a_connection_that_is_closed_in_the_middle_is_tried_once_more(
    report_of: ReportOf, length: int
) -> None:
    whole = says(answer())
    with ModelServer(Reply(body=whole.body, cut_after=length), whole) as server:
        report = report_of(server)
    assert len(server.asked) == 2
    assert report.diagnosis is not None
    assert report.diagnosis.source == "model"


def test_a_connection_that_is_always_closed(report_of: ReportOf) -> None:
    with ModelServer(Reply(body=says(answer()).body, cut_after=40)) as server:
        report = report_of(server)
    assert len(server.asked) == 2
    check_rules_stand(report)


def test_a_closed_port(report_of: ReportOf) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    report = report_of(base_url=f"http://127.0.0.1:{port}/v1")
    check_rules_stand(report)
    assert report.provenance.note == f"the model was not used: 127.0.0.1:{port} cannot be reached"


@pytest.mark.parametrize("reply", [Reply(hold=True), Reply(trickle=True)], ids=["silent", "drips"])
def test_a_slow_server(report_of: ReportOf, reply: Reply) -> None:
    with ModelServer(reply) as server:
        report = report_of(server, model_timeout=0.5)
    check_rules_stand(report)
    assert "within 0.5 s" in str(report.provenance.note)
    assert len(server.asked) == 1
    assert report.seconds.llm < 4


def test_a_huge_answer_is_not_read_to_its_end(report_of: ReportOf) -> None:
    with ModelServer(says("x" * 9_000_000)) as server:
        report = report_of(server)
    check_rules_stand(report)
    assert "longer than 2000 kB" in str(report.provenance.note)


def test_a_server_that_is_busy_is_waited_for_once_and_that_is_said(
    report_of: ReportOf, told: list[str]
) -> None:
    with ModelServer(refuses(429, retry_after="0.1"), says(answer())) as server:
        report = report_of(server)
    assert report.diagnosis is not None
    assert report.diagnosis.source == "model"
    assert "the model's server asks to wait 0.1 s" in told


def test_a_server_error_is_tried_once_more(report_of: ReportOf) -> None:
    with ModelServer(refuses(500, retry_after="0"), says(answer())) as server:
        report = report_of(server)
    assert server.rungs == ["json_schema", "json_schema"]
    assert report.provenance.note is None


def test_a_server_that_knows_no_schema_is_asked_in_plainer_ways(report_of: ReportOf) -> None:
    refusal = refuses(400, "response_format is not supported")
    last = says(f"Here: {json.dumps(answer())} So.")
    with ModelServer(refusal, refusal, refusal, last) as server:
        report = report_of(server)
        assert server.rungs[:4] == ["json_schema", "tool", "json_object", "prompt"]
        assert report.provenance.note is None
        again = report_of(server)
    assert server.rungs[4:] == ["prompt"], "the way that worked is remembered"
    assert again.diagnosis is not None


def test_a_forced_tool_call_is_read(report_of: ReportOf) -> None:
    with ModelServer(refuses(400), calls_tool(answer())) as server:
        report = report_of(server)
    assert server.rungs == ["json_schema", "tool"]
    assert report.provenance.note is None


def test_a_server_that_fails_on_everything(report_of: ReportOf) -> None:
    with ModelServer(refuses(500, retry_after="0")) as server:
        report = report_of(server)
    check_rules_stand(report)
    assert len(server.asked) == 5


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"base_url": "http://127.0.0.1:1/v1", "model": None}, "it has no name"),
        ({"base_url": "ftp://somewhere"}, "its address is none"),
        ({"base_url": "nonsense"}, "its address is none"),
        ({"base_url": "http://me:secret@127.0.0.1:1/v1"}, "its address holds a password"),
        ({"base_url": "https://models.example/v1"}, "nobody agreed to send to models.example"),
    ],
)
def test_a_model_that_cannot_be_asked(
    report_of: ReportOf, settings: dict[str, str | None], said: str
) -> None:
    report = report_of(**settings)
    check_rules_stand(report)
    assert said in str(report.provenance.note)
    assert "secret" not in str(report.provenance.note)
    assert report.provenance.model is None
