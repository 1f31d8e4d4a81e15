"""DataLoader iterators: how long each batch was waited for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit loader_wait around each __next__; never asks a loader for anything itself."""
    hub = seam.hub
    from torch.utils.data.dataloader import _BaseDataLoaderIter

    def make_next(original: Callable[..., Any]) -> Callable[..., Any]:
        def __next__(self: Any) -> Any:
            started = time.perf_counter()
            batch = original(self)
            hub.emit("loader_wait", self, time.perf_counter() - started, batch)
            return batch

        return __next__

    seam.patches.replace(_BaseDataLoaderIter, "__next__", make_next)
