"""One file per collector; each defines COLLECTOR, a class with the events it takes part in.

A collector has `name`, `kinds` (record kind -> what it holds, with units) and a constructor that
takes the Probe. The table of record kinds is generated from `kinds`.
"""

from __future__ import annotations
