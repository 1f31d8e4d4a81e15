"""The cause `sequence-dim-mismatch`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import axes_swapped, hidden_state_at


class SequenceDimMismatch(CrashRule):
    """Batch, time, hidden-state or head dimensions of a sequence layer are confused.

    What it detects:
        A recurrent or attention layer meets an input, a hidden state or a mask whose axes are in
        another order or number than it was built for.
    Why it breaks training:
        With batch_first the batch stands first, without it the time; a hidden state is [layers,
        batch, features] either way.
    Evidence:
        exception.raised: expected and given sizes, the layer's options and line, the shapes in the
        frames.
    Example:
        rnn = nn.LSTM(16, 32)                  # input [batch, time, 16]
    Use instead:
        rnn = nn.LSTM(16, 32, batch_first=True)
    Can be confused with:
        A feature size that simply differs (matmul-shape-mismatch).
    Verify:
        Print the input's shape beside the layer's batch_first.
    Prevent:
        Set batch_first once for the whole model; build hidden states from the input's own batch
        size.
    References:
        PyTorch documentation, torch.nn.LSTM, torch.nn.MultiheadAttention.
    """

    slug: ClassVar[str] = "sequence-dim-mismatch"
    title: ClassVar[str] = "Dimensions of a sequence layer are confused"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": -4, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Expected hidden(\[\d\])? size \((?P<wanted>[\d, ]+)\), got \[(?P<given>[\d, ]+)\]",
        r"(LSTM|GRU|RNN)(Cell)?: Expected input to be [^,]+, got (?P<given>\d)D instead",
        r"was expecting embedding dimension of (?P<wanted>\d+), but got (?P<given>\d+)",
        r"embed_dim must be divisible by num_heads",
        r"The (shape|size) of the \d?D? ?attn_mask is (torch\.Size\()?\[?\(?(?P<given>[\d,"
        r" ]+)[\])]*, but should be \(?(?P<wanted>[\d, ]+)",
        r"input\.size\(-1\) must be equal to input_size\. Expected (?P<size>\d+), got"
        r" (?P<got>\d+)",
        r"input must have 3 dimensions, got (?P<given>\d)",
        r"For (un)?batched \d-D input, h[xc] (and cx )?should also be",
        r"hidden has inconsistent hidden_size: got (?P<given>\d+), expected (?P<wanted>\d+)",
        r"key_padding_mask.*(shape|size)",
    )
    fix_summary: ClassVar[str] = (
        "Bring input, hidden state and mask into the order that the layer was built for"
    )
    prevention: ClassVar[str] = (
        "Make hidden states from the batch at hand, and state the order of axes beside each "
        "sequence layer."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        groups = found.groupdict()
        layer = crash.layer
        if groups.get("size") and not axes_swapped(crash, int(groups["size"]), int(groups["got"])):
            return None
        note = crash.message.splitlines()[0][:160]
        if layer is not None:
            note = f"{layer.text}: {note}"
        shapes_text = crash.shapes()
        if shapes_text:
            note += f" ({shapes_text})"
        made = hidden_state_at(crash) if "hidden" in found.group(0) else None
        site = layer.site if layer is not None else None
        return crash.finding(note, [made, site] if made is not None else [site, crash.at])
