"""Calls that seed a random stream or make a seeded generator."""

from __future__ import annotations

import functools
import random
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit seeded for torch, NumPy and Python; streams and results stay what they are."""
    hub, probe = seam.hub, seam.probe

    def watched(stream: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            @functools.wraps(original)
            def seeding(*args: Any, **kwargs: Any) -> Any:
                if not probe.quiet:
                    seed = args[0] if args else next(iter(kwargs.values()), None)
                    hub.emit("seeded", stream, seed, sys._getframe(1))
                return original(*args, **kwargs)

            return seeding

        return make

    seam.patches.replace(torch, "manual_seed", watched("torch"))
    seam.patches.replace(random, "seed", watched("python"))
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        seam.patches.replace(numpy.random, "seed", watched("numpy"))
        seam.patches.replace(numpy.random, "default_rng", watched("numpy generator"))
    seam.patches.replace(torch, "Generator", lambda original: _watched_generator(original, hub))


def _watched_generator(original: Any, hub: Any) -> Any:
    """A generator class that is the original one but for telling of its seeds."""

    class _SameInstances(type(original)):  # type: ignore[misc]
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, original)

    class Generator(original, metaclass=_SameInstances):  # type: ignore[misc]
        __doc__ = original.__doc__

        def manual_seed(self, seed: Any) -> Any:
            hub.emit("seeded", "torch generator", seed, sys._getframe(1))
            return super().manual_seed(seed)

    Generator.__module__, Generator.__qualname__ = original.__module__, original.__qualname__
    return Generator
