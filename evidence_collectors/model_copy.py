"""A private copy of a model to try things on, such that the run itself cannot notice.

Parameters, buffers and containers are copied, everything else is shared; hooks are left out. The
random streams are put back, printing is silenced.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import sys
import types
from collections import OrderedDict
from typing import Any, Iterator, Optional

MAX_ELEMENTS = 5_000_000
"""Parameters and buffers of a model that is copied (20 MB in float32)."""
MAX_ITEMS = 10_000
"""Items of a plain container that is copied with a module."""
_CONTAINERS = (list, dict, set, tuple, OrderedDict)
_PLAIN = (str, bytes, int, float, bool, complex, type(None))
_UNCOPIED = ("LightningModule", "DistributedDataParallel", "DataParallel", "OptimizedModule")
_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def copy_of(torch: Any, model: Any) -> Optional[Any]:
    """An independent copy in eval mode without hooks; None where none can be made safely."""
    names = {kind.__name__ for kind in type(model).__mro__}
    if names & set(_UNCOPIED) or isinstance(model, torch.jit.ScriptModule):
        return None
    tensors = [*model.parameters(), *model.buffers()]
    if sum(tensor.numel() for tensor in tensors) > MAX_ELEMENTS:
        return None
    memo: dict[int, Any] = {}
    for module in model.modules():
        for value in vars(module).values():
            if not _share(torch, value, memo):
                return None
    try:
        made = copy.deepcopy(model, memo)
    except Exception:
        return None
    for module in made.modules():
        for name in _HOOKS:
            if isinstance(vars(module).get(name), dict):
                vars(module)[name] = OrderedDict()
    made.eval()
    return made


def _share(torch: Any, value: Any, memo: dict[int, Any]) -> bool:
    """Let deepcopy take over what is no tensor, module or container; False if it is too large."""
    if isinstance(value, _CONTAINERS):
        return len(value) <= MAX_ITEMS
    if isinstance(value, torch.Tensor):
        return bool(value.numel() <= MAX_ELEMENTS)
    if not isinstance(value, (*_PLAIN, torch.nn.Module, types.MethodType)):
        memo[id(value)] = value
    return True


@contextlib.contextmanager
def undisturbed(torch: Any, model: Any) -> Iterator[None]:
    """Put back random streams afterwards, and print nothing meanwhile."""
    saved = [(torch.random.set_rng_state, torch.random.get_rng_state())]
    saved.append((random.setstate, random.getstate()))
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        saved.append((numpy.random.set_state, numpy.random.get_state()))
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        saved.append((torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all()))
    saved.extend(_own_streams(torch, model))
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        for put_back, state in saved:
            put_back(state)


def _own_streams(torch: Any, model: Any) -> list[Any]:
    """Generators that the model holds or that its forward code can see as globals."""
    found: list[Any] = []
    spaces = [vars(module) for module in model.modules()]
    spaces += [
        getattr(getattr(type(module), "forward", None), "__globals__", {})
        for module in model.modules()
    ]
    seen: set[int] = set()
    for space in spaces:
        if id(space) in seen:
            continue
        seen.add(id(space))
        for value in list(space.values()):
            if isinstance(value, torch.Generator):
                found.append((value.set_state, value.get_state()))
            elif isinstance(value, random.Random):
                found.append((value.setstate, value.getstate()))
            elif hasattr(value, "bit_generator"):
                bits = value.bit_generator
                found.append((_setter(bits), copy.deepcopy(bits.state)))
    return found


def _setter(bits: Any) -> Any:
    def put_back(state: Any) -> None:
        bits.state = state

    return put_back
