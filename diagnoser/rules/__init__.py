"""The pure core: an examination in, ranked candidates out. No I/O, no clock, no randomness.

examination   what was recorded, indexed by kind (read-only)
base          Rule, Fact, Finding: what one cause's file is made of
symptoms      the symptom table: how each is recognised in numbers, exceptions and words
engine        weighs every rule, ranks in decibans, explains away, grades
registry      finds the rules by directory and fails loudly
causes/       one file per cause
"""

from __future__ import annotations
