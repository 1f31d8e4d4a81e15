"""Diagnose why a PyTorch or NumPy training script does not train, and prove it by a re-run."""

from __future__ import annotations

__version__ = "0.1.0"
