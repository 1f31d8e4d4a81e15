"""Reversible patches of library surfaces; each turns calls into events of the hub.

One file per surface, each with `install(seam, torch)`. A hook never changes an argument or a
result, and costs next to nothing where no collector wants the event.
"""

from __future__ import annotations
