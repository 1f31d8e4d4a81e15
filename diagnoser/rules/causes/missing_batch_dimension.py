"""The cause `missing-batch-dimension`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.crash_places import caller


class MissingBatchDimension(CrashRule):
    """One sample is given where a batch is expected.

    What it detects:
        A layer or function meets a tensor with one dimension less than a batch would have.
    Why it breaks training:
        Layers take the first dimension for the batch; without it the others slip by one.
    Evidence:
        exception.raised: expected and given number of dimensions, the shapes in the frames.
    Example:
        model(image)                # image [3, 32, 32]
    Use instead:
        model(image.unsqueeze(0))   # [1, 3, 32, 32]
    Can be confused with:
        A squeeze() without a dimension that also removed a batch of one; a channel mismatch.
    Verify:
        Print the shape of what goes into the model.
    Prevent:
        Add the batch dimension where single samples are prepared; squeeze only named dimensions.
    References:
        PyTorch documentation, torch.unsqueeze.
    """

    slug: ClassVar[str] = "missing-batch-dimension"
    title: ClassVar[str] = "A single sample is given where a batch is expected"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": -4, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"[Ee]xpected (?P<wanted>\d)D (or (?P<other>\d)D )?input \(got (?P<given>\d)D input\)",
        r"Expected 3D \(unbatched\) or 4D \(batched\) input to conv2d, but got input of size:"
        r" \[(?P<shape>\d+, \d+)\]",
        r"Expected 2D \(unbatched\) or 3D \(batched\) input to conv1d, but got input of size:"
        r" \[(?P<shape>\d+)\]",
        r"Dimension out of range \(expected to be in range of \[-1, 0\], but got 1\)",
        r"For batched 3-D input, hx should also be 3-D but got (?P<given>\d)-D tensor",
    )
    fix_summary: ClassVar[str] = "Add the batch dimension with unsqueeze(0)"
    prevention: ClassVar[str] = (
        "Let inference and training share the function that makes batches; give squeeze its "
        "dimension."
    )

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding | None:
        groups = found.groupdict()
        given, wanted = groups.get("given"), groups.get("wanted")
        if given and wanted and int(given) >= int(groups.get("other") or wanted):
            return None
        head = crash.message.splitlines()[0][:140]
        shapes = crash.shapes()
        note = f"A single sample is given where a batch is expected: {head}"
        if shapes:
            note += f" ({shapes})"
        return crash.finding(note, [caller(crash)])
