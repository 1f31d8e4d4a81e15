"""The cause `view-on-noncontiguous`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import Finding, Source
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.source_edits import replace_once
from diagnoser.schema import Edit


class ViewOnNoncontiguous(CrashRule):
    """view is asked for a shape that the tensor's strides cannot express.

    What it detects:
        view is called on a transposed, permuted or sliced tensor.
    Why it breaks training:
        view never copies; the values of a new dimension must lie evenly in memory, and after a
        transpose they do not.
    Evidence:
        exception.raised: the line, the shape of the tensor.
    Example:
        x.transpose(1, 2).view(batch, -1)
    Use instead:
        x.transpose(1, 2).reshape(batch, -1)
    Can be confused with:
        A permute that should not have been there: reshape then hides scrambled axes.
    Verify:
        Print x.is_contiguous() right before the line.
    Prevent:
        Use reshape, or flatten(1), and name the order of axes beside a permute.
    References:
        PyTorch documentation, torch.Tensor.view.
    """

    slug: ClassVar[str] = "view-on-noncontiguous"
    title: ClassVar[str] = "view on a tensor whose memory order does not allow it"
    category: ClassVar[str] = "shape"
    prior: ClassVar[Mapping[str, int]] = {"shape-mismatch": -6, "crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"view size is not compatible with input tensor's size and stride",
        r"input is not contiguous",
        r"non-contiguous tensor.*view",
    )
    fix_summary: ClassVar[str] = "Use reshape, or contiguous() before view"
    prevention: ClassVar[str] = "Use reshape or flatten, which copy where they must."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        note = "view cannot express the shape with this tensor's strides"
        shapes = crash.shapes()
        return crash.finding(note + (f" ({shapes})" if shapes else ""))

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if finding.direct and finding.places:
                edit = replace_once(source, finding.places[-1], r"\.view\(", ".reshape(", self.slug)
                if edit is not None:
                    return [edit]
        return []
