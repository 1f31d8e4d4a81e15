"""Reads what was asked: the target, the user's own files, words and tracebacks.

target      what the question points at, checked
sources     the user's own files as text
traceback   an exception in pasted text or a log, as the record that a probe would have made
"""

from __future__ import annotations
