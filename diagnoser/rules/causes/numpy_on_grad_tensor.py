"""The cause `numpy-on-grad-tensor`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from diagnoser.rules.base import Finding, Source
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.source_edits import replace_once
from diagnoser.schema import Edit


class NumpyOnGradTensor(CrashRule):
    """A tensor that requires a gradient, or lies on a device, is turned into NumPy.

    What it detects:
        numpy() or np.asarray is called on a tensor with a graph, or on one that is not in host
        memory.
    Why it breaks training:
        NumPy knows neither gradients nor devices; torch refuses instead of losing them silently.
    Evidence:
        exception.raised: the line and the tensor.
    Example:
        scores.append(output.numpy())
    Use instead:
        scores.append(output.detach().cpu().numpy())
    Can be confused with:
        A training path that must not leave the graph at all (graph-detached): there detach only
        hides the fault.
    Verify:
        Run the line with detach() and see that the value is only reported, not trained through.
    Prevent:
        Detach where values leave training: metrics, plots, logs.
    References:
        PyTorch documentation, torch.Tensor.numpy.
    """

    slug: ClassVar[str] = "numpy-on-grad-tensor"
    title: ClassVar[str] = "A tensor of the graph is turned into a NumPy array"
    category: ClassVar[str] = "autograd"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6}
    patterns: ClassVar[tuple[str, ...]] = (
        r"Can't call numpy\(\) on Tensor that requires grad",
        r"can't convert (?P<device>[\w:]+) device type tensor to numpy",
    )
    fix_summary: ClassVar[str] = "Call detach().cpu() before numpy()"
    prevention: ClassVar[str] = "Keep one function that turns outputs into arrays for metrics."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        device = found.groupdict().get("device")
        what = f"lies on {device}" if device else "requires a gradient"
        names = crash.shapes()
        return crash.finding(f"The tensor {what}" + (f" ({names})" if names else ""))

    def fix(self, source: Source, findings: Sequence[Finding]) -> list[Edit]:
        for finding in findings:
            if finding.direct and finding.places:
                place = finding.places[-1]
                edit = replace_once(
                    source, place, r"\.numpy\(", ".detach().cpu().numpy(", self.slug
                )
                if edit is not None:
                    return [edit]
        return []
