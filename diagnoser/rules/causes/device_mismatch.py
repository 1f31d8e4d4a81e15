"""The cause `device-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Cue, Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import caller


class DeviceMismatch(CrashRule):
    """Tensors of one operation lie on different devices.

    What it detects:
        An operation gets tensors of two devices.
    Why it breaks training:
        There is no implicit transfer; the run ends at that line.
    Evidence:
        exception.raised: both devices, and which of the tensors in the frames lies where.
    Example:
        output = model(x)                 # model on cuda:0, x on cpu
    Use instead:
        output = model(x.to(device))
    Can be confused with:
        A tensor that a module holds as a plain attribute, which .to() passes by: register_buffer.
    Verify:
        Print the device of each tensor at the line.
    Prevent:
        Choose the device once; move the model before the loop and each batch at its head.
    References:
        PyTorch documentation, CUDA semantics.
    """

    slug: ClassVar[str] = "device-mismatch"
    title: ClassVar[str] = "Tensors of one operation lie on different devices"
    category: ClassVar[str] = "device"
    prior: ClassVar[Mapping[str, int]] = {"device-mismatch": 0, "crash": -8}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Expected all tensors to be on the same device, but (found at least two devices,"
        r" (?P<a>[\w:]+) and (?P<b>[\w:]+)|got \w+ is on (?P<c>[\w:]+), different from other"
        r" tensors on (?P<d>[\w:]+))",
        r"Tensor on device (?P<a>[\w:]+) is not on the expected device (?P<b>[\w:]+)",
        r"Input type \((torch\.)?(?P<a>cuda|mps|xpu)?[\w.]*\) and (weight|bias) type"
        r" \((torch\.)?(?P<b>cuda|mps|xpu)?[\w.]*\) should be the same",
        r"indices should be either on (?P<a>\w+) or on the same device as the indexed tensor"
        r" \((?P<b>\w+)\)",
        r"Expected object of device type (?P<a>\w+) but got device type (?P<b>\w+)",
        r"Cannot copy out of meta tensor; no data",
    )
    cues: ClassVar[tuple[Cue, ...]] = (
        Cue(r"torch\.(zeros|ones|arange|tensor|full|eye)\(|mask|buffer|\.to\(device\)", 3),
    )
    fix_summary: ClassVar[str] = "Move the odd tensor to the device of the others"
    prevention: ClassVar[str] = (
        "Name the device once, move the model before the loop and each batch at its head."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        groups = found.groupdict()
        one, other = groups.get("a") or groups.get("c"), groups.get("b") or groups.get("d")
        if one == other and "Input type" in found.group(0):
            return None
        by_device: dict[str, list[str]] = {}
        for name, facts in crash.tensors.items():
            by_device.setdefault(str(facts.get("device")), []).append(name)
        shown = "; ".join(
            f"{device}: {', '.join(names[:4])}" for device, names in by_device.items()
        )
        devices = f"{one or 'cpu'} meets {other or 'cpu'}" if one or other else crash.message[:120]
        note = f"{devices}{f' ({shown})' if len(by_device) > 1 else ''}"
        return crash.finding(note, [caller(crash)])
