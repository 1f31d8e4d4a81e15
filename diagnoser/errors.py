"""Errors that reach the person at the terminal.

DiagnoserError
├── InputError      what was asked for cannot be read or is no target (exit code 2)
├── RunnerError     the script could not be started at all
├── ModelError      the language model could not be asked, or gave no answer that can be used
└── FixRefused      a change was not written to the user's files (diagnoser.fixes.apply)
"""

from __future__ import annotations


class DiagnoserError(Exception):
    """Base of all errors that diagnoser raises on purpose; `advice` says what to do."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice


class InputError(DiagnoserError):
    """The question names something that cannot be used as a target."""


class RunnerError(DiagnoserError):
    """The script could not be started."""


class ModelError(DiagnoserError):
    """The model could not be asked or gave no usable answer; the rules' own answer stands.

    The message completes "the model was not used: ".
    """
