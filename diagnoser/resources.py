"""Finds the folders that come with the package: in the package, then in the checkout."""

from __future__ import annotations

from pathlib import Path

from diagnoser.errors import InputError


def resource_folder(name: str) -> Path:
    """The folder `name` of an installed package, or of the checkout of an editable install.

    Raises:
        InputError: neither has it.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise InputError(f"this installation has no folder {name}", "Install diagnoser anew.")
