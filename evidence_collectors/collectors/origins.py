"""Where in the user's code tensors are made or converted, with dtype and shape."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.describe import shape_facts

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_SITES = 300


class OriginCollector:
    """Records each line that creates a tensor or changes its dtype, once per result dtype."""

    name: ClassVar[str] = "origins"
    kinds: ClassVar[dict[str, str]] = {
        "tensor.origin": "function, result facts, dtype it was made from; once per line and dtype",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._seen: set[Any] = set()

    def tensor_created(self, name: str, args: Any, output: Any, frame: Any) -> None:
        key = (frame.f_code, frame.f_lineno, name, getattr(output, "dtype", None))
        if key in self._seen or len(self._seen) >= MAX_SITES:
            return
        self._seen.add(key)
        if not isinstance(output, self._probe.torch.Tensor):
            return
        source = args[0] if args else None
        self._probe.record(
            "tensor.origin",
            {
                "function": name,
                "result": shape_facts(output),
                "from": str(getattr(source, "dtype", type(source).__name__)).replace("torch.", ""),
            },
            at={
                "file": os.path.abspath(frame.f_code.co_filename),
                "line": frame.f_lineno,
                "function": frame.f_code.co_name,
            },
        )


COLLECTOR = OriginCollector
