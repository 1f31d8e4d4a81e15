"""The cause `state-dict-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule

SIZE = (
    r"size mismatch for ([\w.]+): copying a param with shape torch\.Size\(\[([\d, ]*)\]\) from "
    r"checkpoint, the shape in current model is torch\.Size\(\[([\d, ]*)\]\)"
)


class StateDictMismatch(CrashRule):
    """A checkpoint's keys or shapes differ from the model's.

    What it detects:
        load_state_dict meets keys that the model does not have, lacks some, or finds other shapes.
    Why it breaks training:
        The checkpoint was written by another architecture, configuration or wrapper than the one
        that reads it.
    Evidence:
        exception.raised: missing and unexpected keys, both shapes, the line that loads.
    Example:
        model = Net(hidden=64)                  # the checkpoint holds hidden=128
        model.load_state_dict(torch.load('net.pt'))
    Use instead:
        model = Net(hidden=128)
        model.load_state_dict(torch.load('net.pt'))
    Can be confused with:
        A wrapper's prefix (module.) on every key; a checkpoint that holds more than the state dict.
    Verify:
        Compare the checkpoint's keys and shapes with model.state_dict().
    Prevent:
        Store the configuration in the checkpoint and build the model from it.
    References:
        PyTorch documentation, Saving and loading models.
    """

    slug: ClassVar[str] = "state-dict-mismatch"
    title: ClassVar[str] = "The checkpoint does not fit the model"
    category: ClassVar[str] = "program"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -6, "shape-mismatch": -8}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Error\(s\) in loading state_dict for (?P<model>\w+)",
        r"loaded state dict (contains a parameter group that doesn't match|has a different"
        r" number of parameter groups)",
        r"Missing key\(s\) in state_dict",
        r"size mismatch for [\w.]+: copying a param with shape",
        r"Unexpected key\(s\) in state_dict",
        r"KeyError: '?(?P<key>(state_dict|model_state_dict|model|optimizer|net|module\.[\w.]+|"
        r"[\w.]+\.weight))'?",
    )
    fix_summary: ClassVar[str] = (
        "Build the model that the checkpoint was written from, or rename its keys"
    )
    prevention: ClassVar[str] = (
        "Store the model's configuration beside its weights and build from it."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        if crash.type == "KeyError" and "load" not in crash.code:
            return None
        text = crash.message
        sizes = re.findall(SIZE, text)
        missing = re.findall(r'"([^"]+)"', section(text, "Missing key(s)"))
        extra = re.findall(r'"([^"]+)"', section(text, "Unexpected key(s)"))
        parts = []
        if sizes:
            name, theirs, ours = sizes[0]
            parts.append(f"{name} is [{theirs}] in the checkpoint and [{ours}] in the model")
        if missing:
            parts.append(f"{len(missing)} keys are missing ({missing[0]})")
        if extra:
            parts.append(f"{len(extra)} keys are unexpected ({extra[0]})")
        if extra and all(key.startswith("module.") for key in extra):
            parts.append("every key has the prefix `module.` of a parallel wrapper")
        note = "; ".join(parts) or text.splitlines()[0][:160]
        return crash.finding(note)


def section(text: str, head: str) -> str:
    """The line of a message that begins with a heading."""
    return next((line for line in text.splitlines() if head in line), "")
