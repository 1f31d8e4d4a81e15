"""Log-likelihoods of the library's distributions."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit likelihood_made for each log_prob of a distribution in torch.distributions."""
    hub, probe = seam.hub, seam.probe

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def log_prob(self: Any, value: Any) -> Any:
            result = original(self, value)
            if not probe.quiet:
                hub.emit("likelihood_made", value, result)
            return result

        return log_prob

    distributions = sys.modules.get("torch.distributions")
    for value in list(vars(distributions).values()) if distributions is not None else ():
        if isinstance(value, type) and "log_prob" in vars(value):
            seam.patches.replace(value, "log_prob", make)
