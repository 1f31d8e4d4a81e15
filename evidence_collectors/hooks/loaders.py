"""DataLoaders: where they are constructed, how long each batch was waited for."""

from __future__ import annotations

import functools
import sys
import time
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit loader_created, and loader_wait around each __next__; asks no loader for a batch."""
    hub = seam.hub
    from torch.utils.data.dataloader import _BaseDataLoaderIter

    def make_next(original: Callable[..., Any]) -> Callable[..., Any]:
        def __next__(self: Any) -> Any:
            started = time.perf_counter()
            batch = original(self)
            hub.emit("loader_wait", self, time.perf_counter() - started, batch)
            return batch

        return __next__

    def make_init(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            original(self, *args, **kwargs)
            hub.emit("loader_created", self, sys._getframe(1))

        return __init__

    seam.patches.replace(torch.utils.data.DataLoader, "__init__", make_init)
    seam.patches.replace(_BaseDataLoaderIter, "__next__", make_next)
