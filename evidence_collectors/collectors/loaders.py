"""Where each DataLoader is constructed, and how it was asked to batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LOADERS = 40


class LoaderCollector:
    """Records every DataLoader once, without asking it for a batch."""

    name: ClassVar[str] = "loaders"
    kinds: ClassVar[dict[str, str]] = {
        "loader.created": "dataset class and length (None if it has none), batch size, drop_last, "
        "shuffled, workers, class and function of the dataset's own code; line of construction",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._count = 0

    def loader_created(self, loader: Any, frame: Any) -> None:
        self._count += 1
        if self._count > MAX_LOADERS:
            return
        sampler = type(getattr(loader, "sampler", None)).__name__
        self._probe.record(
            "loader.created",
            {
                "dataset": type(loader.dataset).__name__,
                "length": self._length(loader.dataset),
                "batch_size": loader.batch_size,
                "drop_last": bool(loader.drop_last),
                "sampler": sampler,
                "workers": int(loader.num_workers),
                "getitem_at": self._getitem(type(loader.dataset)),
            },
            at=self._probe.locate(frame),
        )

    @staticmethod
    def _length(dataset: Any) -> Optional[int]:
        try:
            return len(dataset)
        except Exception:
            return None

    def _getitem(self, kind: Any) -> Optional[dict[str, Any]]:
        """The user's own __getitem__, if the dataset's class has one."""
        code = getattr(getattr(kind, "__getitem__", None), "__code__", None)
        if code is None or not self._probe.is_user_file(code.co_filename):
            return None
        return {"file": code.co_filename, "line": code.co_firstlineno, "function": code.co_name}


COLLECTOR = LoaderCollector
