"""Forced seeds: the same random streams for all arms of one question.

With seed k every stream starts from k, and a script that seeds itself with s gets s + k: seed 0
reproduces a seeded script's own run, other seeds vary it although it seeds itself. Generators
made without a seed are seeded with k. Without a configured seed nothing is touched.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Seed torch and Python now, shift seeds set later (NumPy's when it is imported)."""
    offset = seam.config.seed
    if offset is None:
        return

    def shifted(original: Callable[..., Any]) -> Callable[..., Any]:
        def seeded(seed: Any = None, *args: Any, **kwargs: Any) -> Any:
            if seed is None:
                seed = offset
            elif isinstance(seed, int) and not isinstance(seed, bool):
                seed = seed + offset
            return original(seed, *args, **kwargs)

        return seeded

    random.seed(offset)
    torch.manual_seed(offset)
    seam.patches.replace(torch, "manual_seed", shifted)
    seam.patches.replace(random, "seed", shifted)
    numpy = seam.probe.numpy
    if numpy is not None:
        seam.patches.replace(numpy.random, "seed", shifted)
        seam.patches.replace(numpy.random, "default_rng", shifted)
