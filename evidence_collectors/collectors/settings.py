"""The numbers that layers and optimizers were constructed with, and where."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, ClassVar, Optional

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

ATTRIBUTES = (
    "eps",
    "momentum",
    "p",
    "inplace",
    "negative_slope",
    "alpha",
    "num_layers",
    "bias",
    "batch_first",
    "dropout",
    "bidirectional",
    "affine",
)
OPTIONS = (
    "lr",
    "momentum",
    "dampening",
    "weight_decay",
    "alpha",
    "eps",
    "betas",
    "rho",
    "nesterov",
)
MAX_MODULES = 2000
MAX_ROWS = 64


class SettingsCollector:
    """Lists the scalar settings of the layers below the models and of the optimizers."""

    name: ClassVar[str] = "settings"
    kinds: ClassVar[dict[str, str]] = {
        "settings.layer": "class, scalar settings as constructed, how many such layers, line",
        "settings.optimizer": "class, scalar settings of its groups as constructed, line",
        "settings.summary": "layers looked at",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._optimizers: list[dict[str, Any]] = []
        probe.at_first_update.append(self._report)

    def optimizer_created(self, optimizer: Any, frame: Any) -> None:
        values = {
            name: self._plain(value)
            for name, value in optimizer.defaults.items()
            if name in OPTIONS and self._plain(value) is not None
        }
        place = self._probe.locate(frame)
        label = type(optimizer).__name__
        self._optimizers.append({"class": label, "values": values, "at": place})

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if self._probe.step == 0:
            self._probe.models.add_root(module)

    def _report(self) -> None:
        for entry in self._optimizers:
            facts = {"class": entry["class"], "values": entry["values"]}
            self._probe.record("settings.optimizer", facts, at=entry["at"])
        rows: dict[Any, dict[str, Any]] = {}
        looked = 0
        library = sys.modules.get("torch.nn.modules")
        for root in self._probe.models.roots():
            for module in root.modules():
                looked += 1
                if looked > MAX_MODULES:
                    break
                if not type(module).__module__.startswith("torch.nn") or library is None:
                    continue
                values = {
                    name: value
                    for name in ATTRIBUTES
                    if (value := self._plain(module.__dict__.get(name))) is not None
                }
                site: Optional[dict[str, Any]] = self._probe.models.sites.get(module)
                place = None if site is None else {k: site[k] for k in ("file", "line", "function")}
                key = (type(module).__name__, str(values), str(place))
                row = rows.setdefault(
                    key, {"class": key[0], "values": values, "count": 0, "at": place}
                )
                row["count"] += 1
        for row in list(rows.values())[:MAX_ROWS]:
            if row["values"]:
                facts = {key: row[key] for key in ("class", "values", "count")}
                self._probe.record("settings.layer", facts, at=row["at"])
        self._probe.record("settings.summary", {"layers": looked})

    @staticmethod
    def _plain(value: Any) -> Any:
        """A number or truth value; None for anything else."""
        return value if isinstance(value, (bool, int, float)) else None


COLLECTOR = SettingsCollector
