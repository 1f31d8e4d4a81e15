"""One request to an endpoint: bounded in time and size, each failure a `ModelError`.

The key never stands in a message, since no text of an exception is handed on; what a server says is
shown short, redacted, and without the key.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from diagnoser.errors import ModelError
from diagnoser.llm.endpoint import Endpoint
from diagnoser.llm.redaction import Redactor
from diagnoser.report.literal import one_line

if TYPE_CHECKING:
    import openai

MAX_ANSWER_BYTES = 2_000_000
MAX_SERVER_WORDS = 200
CONNECT_SECONDS = 10.0


class Refused(ModelError):
    """The server answered with a status that is no success."""

    def __init__(self, status: int, said: str, wait: float | None) -> None:
        super().__init__(f"its server answered {status}" + (f": {said}" if said else ""))
        self.status = status
        self.said = said
        self.wait = wait
        """Seconds that the server asks to wait, if it does."""


class Unreachable(ModelError):
    """The connection could not be made or broke off."""


@dataclass(frozen=True)
class Transport:
    """Sends requests to one endpoint with a key; the key is not shown."""

    endpoint: Endpoint
    key: str

    def __repr__(self) -> str:
        return f"Transport({self.endpoint!r})"

    def send(self, body: dict[str, Any]) -> dict[str, Any]:
        """Send one request and return the whole answer.

        Raises:
            ModelError: there is no answer in time, it is too big, or it is no JSON object.
        """
        with self._failures(), self._client() as client:
            create = client.chat.completions.with_streaming_response.create
            until = time.monotonic() + self.endpoint.timeout
            parts: list[bytes] = []
            with create(**body) as response:
                for part in response.iter_bytes():
                    parts.append(part)
                    self._check(sum(map(len, parts)), until)
        try:
            answer = json.loads(b"".join(parts))
        except ValueError:
            raise Unreachable("its answer is no JSON, or was cut off") from None
        if not isinstance(answer, dict):
            raise Unreachable("its answer is no JSON object")
        return answer

    def stream(self, body: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
        """Pieces of text as they come, each with the reason to end or None; the body asks for it.

        Raises:
            ModelError: as `send`.
        """
        with self._failures(), self._client() as client:
            size, until = 0, time.monotonic() + self.endpoint.timeout
            with client.chat.completions.create(**body) as chunks:
                for chunk in chunks:
                    choice = chunk.choices[0] if chunk.choices else None
                    text = (choice.delta.content or "") if choice is not None else ""
                    size += len(text.encode())
                    self._check(size, until)
                    yield text, choice.finish_reason if choice is not None else None

    def _check(self, size: int, until: float) -> None:
        if size > MAX_ANSWER_BYTES:
            raise ModelError(f"its answer is longer than {MAX_ANSWER_BYTES // 1000} kB")
        if time.monotonic() > until:
            raise ModelError(f"it did not finish within {self.endpoint.timeout:g} s")

    @contextlib.contextmanager
    def _client(self) -> Iterator[openai.OpenAI]:
        """A client that sends nowhere else: no redirects, and no proxy for this machine."""
        import openai

        http = openai.DefaultHttpxClient(
            follow_redirects=False,
            trust_env=not self.endpoint.loopback,
            timeout=openai.Timeout(
                self.endpoint.timeout, connect=min(CONNECT_SECONDS, self.endpoint.timeout)
            ),
        )
        with openai.OpenAI(
            api_key=self.key, base_url=self.endpoint.base_url, max_retries=0, http_client=http
        ) as client:
            yield client

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        """Turn what goes wrong into a `ModelError`; broad, as nothing of it may reach the user."""
        import openai

        try:
            yield
        except ModelError:
            raise
        except openai.APITimeoutError:
            raise ModelError(f"it did not answer within {self.endpoint.timeout:g} s") from None
        except openai.APIStatusError as error:
            wait = _seconds(error.response.headers.get("retry-after"))
            raise Refused(error.status_code, self._said(error.body), wait) from None
        except openai.APIConnectionError as error:
            host = self.endpoint.host
            if "Connect" in type(error.__cause__).__name__:
                raise Unreachable(f"{host} cannot be reached") from None
            raise Unreachable(f"the connection to {host} broke off") from None
        except Exception as error:
            if "Timeout" in type(error).__name__:
                raise ModelError(f"it did not answer within {self.endpoint.timeout:g} s") from None
            raise Unreachable(
                f"the connection to {self.endpoint.host} broke off ({type(error).__name__})"
            ) from None

    def _said(self, body: object) -> str:
        """What the server said in its error, on one line."""
        said = body.get("message") if isinstance(body, dict) else body
        if isinstance(body, dict) and isinstance(body.get("error"), dict):
            said = body["error"].get("message")
        if not isinstance(said, str) or "<html" in said.lower():
            return ""
        clean = Redactor()(said.replace(self.key, "[redacted]"))
        return one_line(clean)[:MAX_SERVER_WORDS]


def _seconds(text: str | None) -> float | None:
    """A Retry-After in seconds; one that is a date is not read."""
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None
