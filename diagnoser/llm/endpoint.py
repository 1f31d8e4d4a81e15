"""Which model is asked, where it lives, and the key that the environment holds for it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from diagnoser.errors import ModelError
from diagnoser.settings import Settings

OFFICIAL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-5-mini"
"""Asked for at the official host where no model is named."""
PLACEHOLDER_KEY = "none"
"""Servers on this machine ask for no key, and the client refuses an empty one."""


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible server and a model that it serves; it does not hold the key."""

    base_url: str
    model: str
    timeout: float = 60.0

    @property
    def host(self) -> str:
        """Host and port, as people are told where something goes."""
        parts = urlsplit(self.base_url)
        try:
            port = f":{parts.port}" if parts.port else ""
        except ValueError:
            port = ""
        return f"{parts.hostname or '?'}{port}"

    @property
    def encrypted(self) -> bool:
        """Whether what is sent can be read on the way."""
        return urlsplit(self.base_url).scheme == "https"

    @property
    def loopback(self) -> bool:
        """Whether it is this machine."""
        import ipaddress

        name = urlsplit(self.base_url).hostname or ""
        if name == "localhost":
            return True
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return False


def configured(settings: Settings, environ: Mapping[str, str] | None = None) -> bool:
    """Whether there is a model to ask: a key or a base URL is given, and it is not switched off."""
    environ = os.environ if environ is None else environ
    return settings.llm is not False and bool(settings.base_url or _key(environ))


def endpoint_of(settings: Settings, environ: Mapping[str, str] | None = None) -> Endpoint:
    """The endpoint that settings name; the official one where they name none.

    OPENAI_BASE_URL counts only beside OPENAI_API_KEY, whose server it names.

    Raises:
        ModelError: the address is none, or the model has no name.
    """
    environ = os.environ if environ is None else environ
    base = settings.base_url
    if not base and not environ.get("DIAGNOSER_API_KEY") and environ.get("OPENAI_API_KEY"):
        base = environ.get("OPENAI_BASE_URL")
    base = base or OFFICIAL
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelError("its address is none: a base URL looks like http://127.0.0.1:8080/v1")
    if parts.username or parts.password:
        raise ModelError("its address holds a password: put the key into DIAGNOSER_API_KEY instead")
    if not settings.model and base != OFFICIAL:
        raise ModelError("it has no name: give --model or DIAGNOSER_MODEL beside the base URL")
    return Endpoint(base, settings.model or DEFAULT_MODEL, settings.model_timeout)


def api_key(endpoint: Endpoint, environ: Mapping[str, str] | None = None) -> str:
    """The key for an endpoint, from the environment only.

    Raises:
        ModelError: there is none, and the endpoint is not this machine.
    """
    key = _key(os.environ if environ is None else environ)
    if not key and not endpoint.loopback:
        raise ModelError("there is no key for it: set DIAGNOSER_API_KEY")
    return key or PLACEHOLDER_KEY


def _key(environ: Mapping[str, str]) -> str:
    for name in ("DIAGNOSER_API_KEY", "OPENAI_API_KEY"):
        value = environ.get(name, "").strip()
        if value:
            return value
    return ""
