"""Load batches in worker processes where the script loads them in its own."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Callable, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class LoaderWorkers(CountedChange):
    """Gives loaders that have none `workers` persistent worker processes.

    Batches come in the same order; what the items draw at random may differ.
    """

    name: ClassVar[str] = "loader_workers"
    from_first_loss: ClassVar[bool] = True

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        super().__init__(probe, params)
        self._workers = int(params.get("workers", 2))

    def install(self, torch: Any, patches: Patches) -> None:
        """Change the argument at construction."""

        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def __init__(loader: Any, *args: Any, **kwargs: Any) -> None:
                given = kwargs.get("num_workers", args[5] if len(args) > 5 else 0)
                if given == 0 and len(args) <= 5:
                    self._count += 1
                    kwargs["num_workers"] = self._workers
                    kwargs["persistent_workers"] = True
                original(loader, *args, **kwargs)

            return __init__

        patches.replace(torch.utils.data.DataLoader, "__init__", make)


INTERVENTION = LoaderWorkers
