"""The server: plain `http.server` in a thread, one scripted reply for each request."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from tests.model_server.replies import Reply

MAX_TRICKLE = 10_000


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def rung(self) -> str:
        """Which form of answer was asked for."""
        if "tools" in self.body:
            return "tool"
        form = self.body.get("response_format")
        return str(form["type"]) if form else "prompt"

    @property
    def last(self) -> str:
        """The last message."""
        return str(self.body["messages"][-1]["content"])


class ModelServer:
    """A context manager; answers with the replies in order, the last one again and again.

    A reply may be a function of the request.
    """

    def __init__(self, *replies: Reply | Callable[[Asked], Reply]) -> None:
        self.asked: list[Asked] = []
        self._replies: Sequence[Reply | Callable[[Asked], Reply]] = replies
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        """The base URL to give to diagnoser."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def rungs(self) -> list[str]:
        """The forms that were asked for, in order."""
        return [asked.rung for asked in self.asked]

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                asked = Asked(
                    self.path,
                    self.headers.get("authorization", ""),
                    json.loads(self.rfile.read(length)),
                )
                outer.asked.append(asked)
                chosen = outer._replies[min(len(outer.asked), len(outer._replies)) - 1]
                reply = chosen if isinstance(chosen, Reply) else chosen(asked)
                try:
                    outer._answer(self, reply)
                except OSError:
                    pass  # the client has gone
                self.close_connection = True

            def log_message(self, form: str, *args: Any) -> None:
                pass

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.hold:
            self._over.wait(30)
            return
        handler.send_response(reply.status)
        handler.send_header("content-type", reply.kind)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if not reply.trickle:
            handler.send_header("content-length", str(len(reply.body)))
        handler.end_headers()
        if reply.trickle:
            for _ in range(MAX_TRICKLE):
                handler.wfile.write(b" ")
                handler.wfile.flush()
                if self._over.wait(0.05):
                    return
        handler.wfile.write(
            reply.body if reply.cut_after is None else reply.body[: reply.cut_after]
        )
