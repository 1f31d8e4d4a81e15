"""Read the named values of a user's frame without keeping them alive.

On CPython before 3.13, reading `frame.f_locals` of a function frame leaves a snapshot that holds
every local until the function returns; it is cleared right after reading. For a module frame
`f_locals` is the real namespace and is never touched.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

_CO_OPTIMIZED = 0x1


def named_values(frame: FrameType) -> dict[str, Any]:
    """Return a fresh dictionary of the frame's local names; the caller drops it soon."""
    values = frame.f_locals
    taken = dict(values)
    if sys.version_info < (3, 13) and frame.f_code.co_flags & _CO_OPTIMIZED:
        values.clear()
    return taken


def values_at_return(frame: FrameType) -> dict[str, Any]:
    """Return the local names of a frame that a trace function is told returns.

    The interpreter writes the snapshot back after a trace function, so that it must not be
    cleared; it dies with the frame. Never call it for a generator's frame, which goes on.
    """
    return dict(frame.f_locals)
