"""What the run ran on: versions, device, threads, flags and seeds."""

from __future__ import annotations

import os
import platform
import sys
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe


class EnvironmentCollector:
    """Records versions and settings once, and the seeds as they stand at the first backward."""

    name: ClassVar[str] = "environment"
    kinds: ClassVar[dict[str, str]] = {
        "environment.versions": "python, torch and numpy versions, device, threads, command",
        "environment.seeds": "torch's initial seed and determinism flags at the first backward",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._seeds_written = False

    def torch_ready(self, torch: Any) -> None:
        numpy = sys.modules.get("numpy")
        cuda = bool(torch.cuda.is_available())
        self._probe.record(
            "environment.versions",
            {
                "python": sys.version.split()[0],
                "torch": str(torch.__version__),
                "numpy": str(getattr(numpy, "__version__", "")),
                "platform": platform.platform(),
                "device": "cuda" if cuda else "cpu",
                "threads": torch.get_num_threads(),
                "cores": os.cpu_count(),
                "argv": list(sys.argv),
            },
        )

    def backward_enter(self, tensors: Any, frame: Any) -> None:
        if self._seeds_written:
            return
        self._seeds_written = True
        torch = self._probe.torch
        self._probe.record(
            "environment.seeds",
            {
                "torch_initial_seed": torch.initial_seed(),
                "deterministic": torch.are_deterministic_algorithms_enabled(),
                "anomaly": torch.is_anomaly_enabled(),
            },
        )


COLLECTOR = EnvironmentCollector
