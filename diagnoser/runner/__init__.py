"""Runs the user's program under the probes, sandboxed, bounded, and warm where that is the same.

request     what is asked of a run and what came of it
runner      the one entry point: `Runner`
plain       whether a script may start warm
cold, warm  the two ways of starting
supervise   time limit, memory, and the end of everything a run started
records     reads what the probes wrote
"""

from __future__ import annotations
