"""Change one thing from outside, run again, compare.

plan     which interventions to try for which candidates, in what order
judge    reads the outcome of an arm against the unchanged one
trace    the second, heavier run that finds the first non-finite value
trials   runs arms side by side on the runner, within the budget
"""

from __future__ import annotations
