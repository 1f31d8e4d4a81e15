"""The cause `conv-channel-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import caller, channels_last_origin
from diagnoser.rules.readings import place_text


class ConvChannelMismatch(CrashRule):
    """A layer gets another number of channels than it was built for.

    What it detects:
        A convolution or normalisation layer meets an input whose channel dimension is not the one
        it has weights for.
    Why it breaks training:
        Weights and channels are paired one by one; the run ends at the first batch.
    Evidence:
        exception.raised: expected and given channels, the input's shape, the layer's line.
    Example:
        nn.Conv2d(3, 16, 3)(images)      # images [32, 28, 28, 3]
    Use instead:
        nn.Conv2d(3, 16, 3)(images.permute(0, 3, 1, 2))
    Can be confused with:
        A missing batch dimension; a linear layer whose in_features changed with the image size.
    Verify:
        Print the shape right before the layer: channels stand second, [N, C, H, W].
    Prevent:
        Convert images to [C, H, W] where they are loaded and assert the channel count there.
    References:
        PyTorch documentation, torch.nn.Conv2d.
    """

    slug: ClassVar[str] = "conv-channel-mismatch"
    title: ClassVar[str] = "A layer gets another number of channels than it was built for"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": -4, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"weight of size \[\d+, (?P<per>\d+)[^\]]*\], expected input\[(?P<shape>[\d, ]+)\] to"
        r" have (?P<wanted>\d+) channels, but got (?P<given>\d+) channels",
        r"running_mean should contain (?P<given>\d+) elements not (?P<wanted>\d+)",
        r"Expected weight to be a vector of size equal to the number of channels in input,"
        r" but got weight of shape \[(?P<wanted>\d+)\] and input of shape \[(?P<shape>[\d,"
        r" ]+)\]",
        r"Given normalized_shape=\[(?P<wanted>\d+)\], expected input with shape .* got input"
        r" of size\s?\[(?P<shape>[\d, ]+)\]",
    )
    fix_summary: ClassVar[str] = (
        "Bring the channels to dimension 1, or build the layer for the channels there are"
    )
    prevention: ClassVar[str] = "Assert images.shape[1] == channels right after loading."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        groups = found.groupdict()
        wanted = int(groups["wanted"])
        shape = [int(size) for size in (groups.get("shape") or "").split(",") if size.strip()]
        given = groups.get("given") or (str(shape[1]) if len(shape) > 1 else "another number of")
        layer = crash.layer
        name = layer.text if layer is not None else "The layer"
        note = f"{name} expects {wanted} channels and gets {given}"
        site = layer.site if layer is not None else None
        if site is not None:
            note += f" (constructed at {place_text(site)})"
        if len(shape) >= 3 and shape[-1] == wanted and shape[1] != wanted:
            note += f"; the input {shape} has its channels last"
            return crash.finding(note, [channels_last_origin(crash, shape), caller(crash), site])
        return crash.finding(note, [site, caller(crash)])
