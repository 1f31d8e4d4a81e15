"""Runs a suite of cases and scores the answers.

cases     reads case.toml
run       asks each question in a neutral place, side by side on one warm Runner
measure   compares what a repaired script prints with what the fixed one prints
judging   one answer against its label; pure
scoring   turns answers into figures; pure
table     the figures for a terminal
"""

from __future__ import annotations
