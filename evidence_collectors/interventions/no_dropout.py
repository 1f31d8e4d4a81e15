"""Train without dropout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches


class NoDropout(CountedChange):
    """Functional dropout, which the layers call too, hands its input on unchanged."""

    name: ClassVar[str] = "no_dropout"
    from_first_loss: ClassVar[bool] = True

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


INTERVENTION = NoDropout
