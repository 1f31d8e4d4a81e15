"""An OpenAI-compatible server on the loopback for tests, with scripted answers and faults."""

from tests.model_server.replies import Reply, calls_tool, refuses, says, streams
from tests.model_server.server import Asked, ModelServer

__all__ = ["Asked", "ModelServer", "Reply", "calls_tool", "refuses", "says", "streams"]
