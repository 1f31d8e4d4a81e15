"""Applies a rule's exact edits to a copy of the text and judges the re-run with them.

patch    edits -> patched texts and a unified diff
proposal which settled cause allows an exact change, and that change
verify   before and after: verified, symptom-remains or broke-script
"""

from __future__ import annotations
