"""Leave gradients as they are where the script clips them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, ClassVar

from evidence_collectors.counted_change import CountedChange

if TYPE_CHECKING:
    from evidence_collectors.patching import Patches


class NoClipping(CountedChange):
    """The clipping functions of torch.nn.utils return the norm and change nothing."""

    name: ClassVar[str] = "no_clipping"

    def install(self, torch: Any, patches: Patches) -> None:
        """Replace clip_grad_norm_ and clip_grad_value_ wherever they are offered."""
        from torch.nn.utils import clip_grad

        def make(original: Callable[..., Any]) -> Callable[..., Any]:
            def unclipped(parameters: Any, *args: Any, **kwargs: Any) -> Any:
                listed = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
                norms = [p.grad.detach().norm() for p in listed if p.grad is not None]
                self._count += 1
                return torch.stack(norms).norm() if norms else torch.tensor(0.0)

            return unclipped

        for name in ("clip_grad_norm_", "clip_grad_value_"):
            for owner in (clip_grad, torch.nn.utils):
                patches.replace(owner, name, make)


INTERVENTION = NoClipping
