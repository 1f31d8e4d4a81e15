"""The cause `no-grad-graph`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from diagnoser.rules.base import Finding
from diagnoser.rules.crash import Crash, CrashRule
from diagnoser.rules.examination import location
from diagnoser.rules.readings import place_text
from diagnoser.rules.source_search import lines_matching


class NoGradGraph(CrashRule):
    """backward is called on a tensor without a graph.

    What it detects:
        The loss was computed with gradients off, from values that had left the graph, or from
        parameters that are all frozen.
    Why it breaks training:
        Without a graph there is nothing from which a gradient could be computed.
    Evidence:
        loss.graphless: exits from the graph since the last backward, grad mode and trainable
        parameters at the last forward; exception.raised.
    Example:
        with torch.no_grad():
            output = model(x)
        loss = criterion(output, y)
    Use instead:
        output = model(x)
        loss = criterion(output, y)
    Can be confused with:
        graph-detached, where only a part of the parameters is cut off and nothing crashes.
    Verify:
        Print loss.requires_grad and loss.grad_fn right before backward.
    Prevent:
        Assert loss.requires_grad in the training step.
    References:
        PyTorch documentation, Autograd mechanics, Locally disabling gradient computation.
    """

    slug: ClassVar[str] = "no-grad-graph"
    title: ClassVar[str] = "The loss has no graph to walk back"
    category: ClassVar[str] = "autograd"
    prior: ClassVar[Mapping[str, int]] = {"crash": -6, "loss-flat": -12}
    needs: ClassVar[tuple[str, ...]] = ("exception.raised", "loss.graphless")
    patterns: ClassVar[tuple[str, ...]] = (
        r"element \d+ of tensors does not require grad and does not have a grad_fn",
        r"One of the differentiated Tensors does not require grad",
    )
    fix_summary: ClassVar[str] = "Keep the loss in the graph: no detach, item or no_grad on its way"
    prevention: ClassVar[str] = "Assert loss.requires_grad in the training step."

    def explain(self, crash: Crash, found: re.Match[str]) -> Finding:
        graphless = crash.examination.last("loss.graphless")
        data = graphless.data if graphless is not None else {}
        exits = [entry for entry in data.get("exits", ()) if entry.get("at")]
        forward = data.get("forward") or {}
        if forward.get("grad_enabled") is False:
            place = location(forward.get("at"))
            return crash.finding(
                f"The model runs with gradients off at {place_text(place)}", [place]
            )
        if forward.get("trainable") is False:
            sites = lines_matching(crash.examination.sources, r"requires_grad(_\(|\s*=)\s*False")
            note = "No parameter of the model requires a gradient"
            return crash.finding(note, [*sites[:1], location(forward.get("at"))])
        if exits:
            place = location(exits[-1]["at"])
            note = (
                f"The value leaves the graph with {exits[-1]['function']}() at {place_text(place)}"
            )
            return crash.finding(note, [place])
        return crash.finding("The loss does not depend on any tensor that requires a gradient")
