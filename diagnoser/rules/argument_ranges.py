"""Usual ranges of constructor arguments, and how an argument was passed in the source.

A value outside its range says nothing by itself: people do choose unusual values. Passed by
position it is another matter, since the value then names no parameter.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from diagnoser.rules.source_lines import lines_of


@dataclass(frozen=True)
class Slot:
    """A constructor's parameter: its position after `self`, its usual range, what is meant else."""

    position: int
    least: float
    greatest: float
    meant: str = ""
    kind: str = "number"
    """`number`, `flag` (a truth value) or `count` (a whole number, no truth value)."""


_NORM = {"eps": Slot(1, 1e-12, 1e-2, "momentum")}
_LAYER_NORM = {"eps": Slot(1, 1e-12, 1e-2)}
_RECURRENT = {
    "num_layers": Slot(2, 1, 64, "batch_first", "count"),
    "bias": Slot(3, 0, 1, "dropout", "flag"),
    "batch_first": Slot(4, 0, 1, "dropout", "flag"),
}
_ADAM = {"eps": Slot(3, 1e-16, 1e-3, "weight_decay")}
LAYERS: Mapping[str, Mapping[str, Slot]] = {
    **{f"BatchNorm{n}d": _NORM for n in (1, 2, 3)},
    **{f"InstanceNorm{n}d": _NORM for n in (1, 2, 3)},
    "SyncBatchNorm": _NORM,
    "LayerNorm": _LAYER_NORM,
    "RMSNorm": _LAYER_NORM,
    "GroupNorm": {"eps": Slot(2, 1e-12, 1e-2)},
    "LeakyReLU": {"negative_slope": Slot(0, -0.5, 0.99, "inplace")},
    "ELU": {"alpha": Slot(0, 0, 10, "inplace")},
    **{f"Dropout{n}": {"inplace": Slot(1, 0, 1, "p", "flag")} for n in ("", "1d", "2d", "3d")},
    **dict.fromkeys(("RNN", "LSTM", "GRU"), _RECURRENT),
}
"""Usual values after the PyTorch documentation's defaults (eps 1e-5, slope 0.01, alpha 1)."""
OPTIMIZERS: Mapping[str, Mapping[str, Slot]] = {
    **dict.fromkeys(("Adam", "AdamW", "NAdam", "RAdam", "Adamax"), _ADAM),
    "RMSprop": {
        "alpha": Slot(2, 0.5, 1 - 1e-6, "momentum"),
        "eps": Slot(3, 1e-16, 1e-2, "momentum"),
        "weight_decay": Slot(4, 0, 0.5, "momentum"),
    },
    "Adagrad": {"lr_decay": Slot(2, 0, 0.5)},
    "Adadelta": {"rho": Slot(2, 0.5, 1 - 1e-6), "eps": Slot(3, 1e-16, 1e-2)},
    "SGD": {
        "momentum": Slot(2, 0.05, 0.9999, "weight_decay"),
        "dampening": Slot(3, 0.05, 1, "weight_decay"),
        "weight_decay": Slot(4, 0, 0.5),
    },
}
"""Usual values after the PyTorch documentation's defaults (eps 1e-8, alpha 0.99, rho 0.9)."""
DEFAULT_ZERO = frozenset({"momentum", "dampening", "weight_decay"})
"""Zero is the default and means: not used."""


def is_unusual(slot: Slot, name: str, value: Any) -> bool:
    """Whether a value lies outside what the parameter usually gets, or is of another type."""
    if slot.kind == "flag":
        return not isinstance(value, bool) and value not in (0, 1)
    if isinstance(value, bool):
        return slot.kind == "count" or name in ("eps", "negative_slope", "alpha", "momentum")
    if name in DEFAULT_ZERO and value == 0:
        return False
    return not slot.least <= float(value) <= slot.greatest


def call_at(text: str, line: int, label: str, position: int) -> ast.Call | None:
    """The call at a line that constructs `label` or takes that many arguments by position."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    named = [node for node in calls if _called(node) == label]
    spread = [node for node in calls if any(isinstance(arg, ast.Starred) for arg in node.args)]
    return next(iter([*named, *spread]), None)


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def by_position(call: ast.Call, name: str, position: int) -> bool:
    """Whether a parameter gets its value by position (a spread list may reach it)."""
    if any(keyword.arg in (name, None) for keyword in call.keywords):
        return False
    spread = any(isinstance(argument, ast.Starred) for argument in call.args)
    return spread or len(call.args) > position


def keyword_edit(text: str, call: ast.Call, position: int, meant: str) -> tuple[int, str] | None:
    """Line number and new text of the line in which the argument gets its keyword."""
    if len(call.args) != position + 1 or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    if any(keyword.arg == meant for keyword in call.keywords):
        return None
    argument = call.args[position]
    line = lines_of(text)[argument.lineno - 1]
    head = line.encode("utf-8")[: argument.col_offset].decode("utf-8")
    return argument.lineno, f"{head}{meant}={line[len(head) :]}"
