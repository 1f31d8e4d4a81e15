"""One file per cause: the pattern, the evidence, the experiment by name, the edit, the docs."""

from __future__ import annotations
