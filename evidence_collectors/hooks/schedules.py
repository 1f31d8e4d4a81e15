"""Steps of learning-rate schedules."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from evidence_collectors.seam import Seam


def install(seam: Seam, torch: Any) -> None:
    """Emit schedule_stepped for each step that the script itself makes."""
    hub, probe = seam.hub, seam.probe
    schedules = torch.optim.lr_scheduler

    def make(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def step(self: Any, *args: Any, **kwargs: Any) -> Any:
            frame = sys._getframe(1)
            if not probe.quiet and probe.is_user_file(frame.f_code.co_filename):
                hub.emit("schedule_stepped", self, frame)
            return original(self, *args, **kwargs)

        return step

    for value in list(vars(schedules).values()):
        if isinstance(value, type) and "step" in vars(value) and hasattr(value, "load_state_dict"):
            seam.patches.replace(value, "step", make)
