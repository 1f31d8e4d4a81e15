"""One file per intervention; each defines INTERVENTION and changes exactly one thing from outside.

An intervention takes part in the hub's events like a collector, may patch, and counts what it
replaced: the host refuses an arm whose count is 0. One that may act only from the second update on
leaves the first loss bit-identical to the unchanged arm's.
"""

from __future__ import annotations
