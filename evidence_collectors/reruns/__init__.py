"""A model called again on a copy of itself, and what is read from such calls."""

from __future__ import annotations
