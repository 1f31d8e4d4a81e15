"""A copy of a model as it stood at the start of one call, which can be called again and again.

The user's model, its buffers, hidden states, random streams and output channels are not touched:
each call runs on a fresh copy, without gradient, from the random state of the user's own call.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import sys
import weakref
from collections import OrderedDict
from typing import Any, Iterator, Optional

from evidence_collectors.reruns.outside import Outside

MAX_BYTES = 50_000_000
"""Parameters and buffers above this size are not copied."""
MAX_DEPTH = 3
_UNCOPIED = ("torch.nn.parallel", "torch._dynamo", "torch.jit", "torch.distributed")
_HOOKS = (
    "_forward_hooks",
    "_forward_pre_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_pre_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_backward_hooks",
    "_backward_pre_hooks",
)


class ModelCopy:
    """One call of a model, with everything that is needed to repeat it."""

    def __init__(self, torch: Any, numpy: Any, model: Any, args: Any, kwargs: Any) -> None:
        self._torch = torch
        self._numpy = numpy
        self._random = self._random_state()
        self._original = weakref.ref(model)
        self._model = self._copy(model, share=False)
        self.args = args
        self.kwargs = kwargs

    @staticmethod
    def is_possible(model: Any) -> bool:
        """Whether a model is small and plain enough to be copied."""
        size = 0
        for module in model.modules():
            if type(module).__module__.startswith(_UNCOPIED):
                return False
            for tensor in (*module._parameters.values(), *module._buffers.values()):
                if tensor is not None:
                    size += tensor.numel() * tensor.element_size()
        return size <= MAX_BYTES

    def model(self) -> Any:
        """A fresh copy in the state before the user's call."""
        return self._copy(self._model, share=True)

    def call(self, model: Any, args: Any, kwargs: Any) -> Any:
        """Call a copy quietly under the user's random state; every stream is put back."""
        kept = self._random_state()
        original = self._original()
        outside = Outside(model if original is None else original)
        try:
            self._set_random_state(self._random)
            with self._torch.no_grad(), _silence():
                return model(*args, **kwargs)
        finally:
            self._set_random_state(kept)
            outside.restore()

    def _copy(self, model: Any, *, share: bool) -> Any:
        memo: dict[int, Any] = {}
        for module in model.modules():
            if share:
                for parameter in module._parameters.values():
                    if parameter is not None:
                        memo[id(parameter)] = parameter
            for value in list(vars(module).values()):
                for tensor in _tensors_in(self._torch, value, 0):
                    if tensor.grad_fn is not None:
                        memo[id(tensor)] = tensor.detach().clone()
        with self._torch.no_grad():
            made = copy.deepcopy(model, memo)
        if not share:
            self._strip(made)
        return made

    def _strip(self, model: Any) -> None:
        """Take out hooks, and let batch norm use its running statistics (it mixes samples)."""
        batch_norm = self._torch.nn.modules.batchnorm._BatchNorm
        for module in model.modules():
            for name in _HOOKS:
                if vars(module).get(name):
                    setattr(module, name, OrderedDict())
            if isinstance(module, batch_norm) and module.running_mean is not None:
                module.training = False

    def _random_state(self) -> list[Any]:
        state: list[Any] = [self._torch.get_rng_state(), random.getstate(), None, None]
        if self._numpy is not None:
            state[2] = self._numpy.random.get_state()
        if self._torch.cuda.is_available() and self._torch.cuda.is_initialized():
            state[3] = self._torch.cuda.get_rng_state_all()
        return state

    def _set_random_state(self, state: list[Any]) -> None:
        self._torch.set_rng_state(state[0])
        random.setstate(state[1])
        if state[2] is not None:
            self._numpy.random.set_state(state[2])
        if state[3] is not None:
            self._torch.cuda.set_rng_state_all(state[3])


def _tensors_in(torch: Any, value: Any, depth: int) -> Iterator[Any]:
    if isinstance(value, torch.Tensor):
        yield value
    elif depth < MAX_DEPTH and isinstance(value, (list, tuple)):
        for item in value[:64]:
            yield from _tensors_in(torch, item, depth + 1)
    elif depth < MAX_DEPTH and isinstance(value, dict):
        for item in list(value.values())[:64]:
            yield from _tensors_in(torch, item, depth + 1)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """What the user's forward prints, warns of or logs was said once already."""
    logging = sys.modules.get("logging")
    disabled: Optional[int] = logging.root.manager.disable if logging is not None else None
    nothing = io.StringIO()
    with contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
        if logging is not None:
            logging.root.manager.disable = 10_000
        try:
            yield
        finally:
            if logging is not None:
                logging.root.manager.disable = disabled
