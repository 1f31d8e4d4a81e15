"""The exception that ends the script: frames, lines, and the tensors in those frames."""

from __future__ import annotations

import linecache
import os
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Optional

from evidence_collectors.describe import shape_facts, value_facts
from evidence_collectors.locals_view import named_values

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_FRAMES = 40
MAX_NAMES = 24
MAX_ELEMENTS = 200_000
MAX_MESSAGE = 4000


class ExceptionCollector:
    """Records the exception, its causes, and shapes and dtypes of the tensors on the way."""

    name: ClassVar[str] = "exceptions"
    kinds: ClassVar[dict[str, str]] = {
        "exception.raised": "type, message, frames (file, line, function, tensors by name with "
        "shape and range, the module that a frame is a method of), causes",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._written = False

    def module_created(self, module: Any, frame: Any) -> None:
        stack = self._probe.user_stack(frame)
        if stack:
            self._probe.models.note_site(module, stack)

    def exception_raised(self, error: BaseException) -> None:
        if self._written:
            return
        self._written = True
        frames = self._frames(error.__traceback__)
        mine = [frame for frame in frames if frame["user"]]
        at = None
        if mine:
            at = {key: mine[-1][key] for key in ("file", "line", "function")}
        elif isinstance(error, SyntaxError) and error.filename:
            at = {"file": error.filename, "line": error.lineno or 1, "function": ""}
        self._probe.record(
            "exception.raised",
            {
                "type": type(error).__name__,
                "message": str(error)[:MAX_MESSAGE],
                "frames": frames,
                "causes": self._causes(error),
                "text": (getattr(error, "text", None) or "").strip()
                if isinstance(error, SyntaxError)
                else "",
            },
            at=at,
            essential=True,
        )

    def _causes(self, error: BaseException) -> list[str]:
        chain: list[str] = []
        following = error.__cause__ or error.__context__
        while following is not None and len(chain) < 5:
            chain.append(f"{type(following).__name__}: {str(following)[:300]}")
            following = following.__cause__ or following.__context__
        return chain

    def _frames(self, trace: Optional[TracebackType]) -> list[dict[str, Any]]:
        frames = []
        while trace is not None:
            frames.append((trace.tb_frame, trace.tb_lineno))
            trace = trace.tb_next
        roots = self._probe.models
        described = []
        for frame, line in frames[-MAX_FRAMES:]:
            name = os.path.abspath(frame.f_code.co_filename)
            if f"{os.sep}evidence_collectors{os.sep}" in name:
                continue
            user = self._probe.is_user_file(frame.f_code.co_filename)
            values = named_values(frame)
            entry: dict[str, Any] = {
                "file": name,
                "line": line,
                "function": frame.f_code.co_name,
                "code": linecache.getline(frame.f_code.co_filename, line).strip(),
                "user": user,
                "tensors": self._tensors(values),
            }
            owner: Any = values.get("self")
            if self._is_module(owner) and not user:
                entry["module"] = {
                    "class": type(owner).__name__,
                    "text": f"{type(owner).__name__}({owner.extra_repr()})"[:200],
                    "site": roots.sites.get(owner),
                    "parameters": {
                        key: {
                            "shape": list(value.shape),
                            "dtype": str(value.dtype).replace("torch.", ""),
                        }
                        for key, value in owner._parameters.items()
                        if value is not None
                    },
                }
            if user:
                entry["held"] = self._held(values)
                entry["method_of"] = type(owner).__name__ if self._is_module(owner) else None
            described.append(entry)
        return described

    def _is_tensor(self, value: Any) -> bool:
        torch = self._probe.torch
        return torch is not None and isinstance(value, torch.Tensor)

    def _tensor(self, value: Any) -> dict[str, Any]:
        """Facts of a tensor; of its values too where reading them is cheap and possible."""
        if value.numel() > MAX_ELEMENTS or value.device.type != "cpu" or value.is_sparse:
            return shape_facts(value)
        try:
            return value_facts(self._probe.torch, value)
        except RuntimeError:
            return shape_facts(value)

    def _is_module(self, value: Any) -> bool:
        torch = self._probe.torch
        return (
            torch is not None
            and isinstance(value, torch.nn.Module)
            and "_parameters" in vars(value)  # else its construction has failed
        )

    def _tensors(self, values: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in values.items():
            if len(found) >= MAX_NAMES:
                break
            if self._is_tensor(value):
                found[name] = self._tensor(value)
            elif self._probe.numpy is not None and isinstance(value, self._probe.numpy.ndarray):
                found[name] = {"shape": list(value.shape), "dtype": str(value.dtype), "numpy": True}
            elif isinstance(value, (tuple, list)) and 0 < len(value) <= 8:
                for index, item in enumerate(value):
                    if self._is_tensor(item):
                        found[f"{name}[{index}]"] = self._tensor(item)
        return found

    def _held(self, values: dict[str, Any]) -> dict[str, Any]:
        """For modules in a user's frame: registered parameters and others."""
        held: dict[str, Any] = {}
        for name, value in values.items():
            if self._is_module(value):
                loose = [
                    {"path": path, "class": kind, "site": self._site(value, path)}
                    for path, _, kind in self._probe.models.unregistered(value)
                ]
                held[name] = {
                    "class": type(value).__name__,
                    "registered": sum(1 for _ in value.parameters()),
                    "unregistered": loose[:12],
                }
        return held

    def _site(self, module: Any, path: str) -> Optional[dict[str, Any]]:
        return self._probe.models.attribute_site(module, path)


COLLECTOR = ExceptionCollector
