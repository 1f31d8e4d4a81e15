# ruff: noqa: NPY002 -- the legacy stream is the one that users seed
"""Seeds the three random streams, and prints what must not depend on being watched."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable

import numpy as np


def seed_streams(seed: int) -> None:
    """Seed Python's, NumPy's and torch's streams."""
    import torch

    random.seed(seed)
    np.random.seed(seed + 1)
    torch.manual_seed(seed + 2)


def print_state(values: Iterable[np.ndarray]) -> None:
    """Print one hash for the values and one for each stream."""
    print("values", _hash(value.tobytes() for value in values))
    print("python", _hash([repr(random.getstate()).encode()]))
    print("numpy", _hash([repr(np.random.get_state()).encode(), np.random.bytes(8)]))


def print_torch_state(parameters: Iterable[object]) -> None:
    """The same, for tensors, with torch's stream."""
    import torch

    print("torch", _hash([torch.get_rng_state().numpy().tobytes()]), float(torch.rand(1)))
    print_state(parameter.detach().numpy() for parameter in parameters)


def _hash(parts: Iterable[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part)
    return whole.hexdigest()
