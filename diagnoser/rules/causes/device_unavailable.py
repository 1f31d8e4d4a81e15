"""The cause `device-unavailable`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.source_search import lines_matching

DEVICE_NAME = r"""(device\s*=\s*|torch\.device\()['"](cuda|mps|xpu|gpu)"""


class DeviceUnavailable(CrashRule):
    """A device is asked for that is not there.

    What it detects:
        CUDA, MPS or a numbered device is named and torch cannot reach it.
    Why it breaks training:
        The build of torch, the driver or the machine does not have it.
    Evidence:
        exception.raised: the device asked for and the line; environment: what torch can reach.
    Example:
        device = torch.device('cuda')
    Use instead:
        device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    Can be confused with:
        A CPU build of torch on a machine that has a GPU; a misspelt device name.
    Verify:
        Print torch.cuda.is_available() and torch.__version__.
    Prevent:
        Choose the device by what is available, in one place; load checkpoints with map_location.
    References:
        PyTorch documentation, CUDA semantics; torch.load, map_location.
    """

    slug: ClassVar[str] = "device-unavailable"
    title: ClassVar[str] = "The device that the script asks for is not there"
    category: ClassVar[str] = "device"
    level: ClassVar[int] = 1
    prior: ClassVar[Mapping[str, int]] = {"crash": -7, "device-mismatch": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Torch not compiled with CUDA enabled",
        r"No CUDA GPUs are available",
        r"Found no NVIDIA driver",
        r"Attempting to deserialize object on a CUDA device",
        r"CUDA error: invalid device ordinal",
        r"Expected one of cpu, cuda.*device type at start of device string: (?P<name>\S+)",
        r"Invalid device string: '?(?P<name>[^'\n]+)",
        r"from the 'MPS' backend",
        r"MPS backend is supported on|PyTorch is not linked with support for (?P<name>\w+)"
        r" devices",
        r"CUDA (driver|initialization) .*(insufficient|error)",
    )
    fix_summary: ClassVar[str] = (
        "Ask for a device that is there, or choose by torch.cuda.is_available()"
    )
    prevention: ClassVar[str] = "Choose the device in one place, by what is available."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        note = crash.message.splitlines()[0][:160]
        device = str(crash.examination.environment.get("device", ""))
        if device:
            note += f" (here: {device})"
        named = lines_matching(crash.examination.sources, DEVICE_NAME)
        setting = [place for place in named if "is_available" not in crash.examination.line(place)]
        return crash.finding(note, [crash.at, *setting[:1]])
