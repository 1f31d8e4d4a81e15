"""Train without dropout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, ClassVar

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches
    from evidence_collectors.probe import Probe


class NoDropout:
    """Functional dropout, which the layers call too, hands its input on unchanged."""

    name: ClassVar[str] = "no_dropout"
    kinds: ClassVar[dict[str, str]] = {
        "intervention.count": "how often the change acted, and whether it acts on the first loss"
    }

    def __init__(self, probe: Probe, params: dict[str, Any]) -> None:
        self._probe = probe
        self._count = 0

    def install(self, torch: Any, patches: Patches) -> None:
        """Replace the functional forms."""

        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            def dropout(
                input: Any, p: float = 0.5, training: bool = True, inplace: bool = False
            ) -> Any:
                if training and p > 0:
                    self._count += 1
                return original(input, p, False, inplace)

            return dropout

        for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout"):
            if hasattr(torch.nn.functional, name):
                patches.replace(torch.nn.functional, name, make)

    def finished(self, reason: str) -> None:
        self._probe.record(
            "intervention.count",
            {"name": self.name, "replaced": self._count, "from_first_loss": True},
            essential=True,
        )


INTERVENTION = NoDropout
