"""Give cross_entropy the logarithm of what it gets where that is a probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches

TOLERANCE = 1e-3
SMALLEST = 1e-12


class LogitsIntoLoss(CountedChange):
    """softmax(log p) is p again, so that the loss becomes the cross-entropy of the model's own p.

    Only rows that lie in [0, 1] and sum to one are replaced; the loss changes its scale, so arms
    are compared by where each ends relative to its own start and to the other.
    """

    name: ClassVar[str] = "logits_into_loss"
    from_first_loss: ClassVar[bool] = True

    def install(self, torch: Any, patches: Patches) -> None:
        """Wrap the functional cross_entropy."""

        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            def cross_entropy(input: Any, target: Any, *args: Any, **kwargs: Any) -> Any:
                if self._is_probability(torch, input):
                    self._count += 1
                    input = torch.clamp(input, min=SMALLEST).log()
                return original(input, target, *args, **kwargs)

            return cross_entropy

        patches.replace(torch.nn.functional, "cross_entropy", make)

    @staticmethod
    def _is_probability(torch: Any, values: Any) -> bool:
        if values.dim() < 1:
            return False
        axis = 0 if values.dim() == 1 else 1
        with torch.no_grad():
            if values.shape[axis] < 2 or bool((values < 0).any()):
                return False
            return bool(((values.sum(axis) - 1).abs() < TOLERANCE).all())


INTERVENTION = LogitsIntoLoss
