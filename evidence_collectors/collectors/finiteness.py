"""What is not finite when the loss first is not: inputs, parameters, gradients."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

from evidence_collectors.describe import value_facts

if TYPE_CHECKING:
    from evidence_collectors.probe import Probe

MAX_LISTED = 12


class FinitenessCollector:
    """Records, once, which tensors were not finite at the first non-finite loss or model input."""

    name: ClassVar[str] = "finiteness"
    kinds: ClassVar[dict[str, str]] = {
        "finite.input": "a model input that holds NaN or inf: facts and line (first occurrence)",
        "finite.parameters": "parameters and gradients that are not finite at the first "
        "non-finite loss; greatest absolute weight before",
        "finite.summary": "losses and model inputs looked at, and how many were not finite",
    }

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._inputs_bad = False
        self._loss_bad = False
        self._bad = 0
        self._inputs_looked = 0

    def forward_enter(self, module: Any, inputs: Any, frame: Any) -> None:
        if self._inputs_bad or self._probe.since_novelty > 3:
            return
        torch = self._probe.torch
        for value in inputs:
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                self._inputs_looked += 1
                if not math.isfinite(float(value.detach().sum())):
                    facts = value_facts(torch, value)
                    if facts.get("nonfinite"):
                        self._inputs_bad = True
                        self._probe.record(
                            "finite.input",
                            {"class": type(module).__name__, "input": facts},
                            at=self._probe.locate(frame),
                        )

    def loss_nonfinite(self, tensors: Any, frame: Any) -> None:
        if self._loss_bad:
            return
        self._loss_bad = True
        self._bad += 1
        parameters: list[Any] = []
        gradients: list[Any] = []
        for root in self._probe.models.roots():
            for name, parameter in root.named_parameters():
                for store, tensor in ((parameters, parameter), (gradients, parameter.grad)):
                    if tensor is not None and len(store) < MAX_LISTED:
                        facts = value_facts(self._probe.torch, tensor)
                        if facts.get("nonfinite"):
                            store.append({"name": name, "nonfinite": facts["nonfinite"]})
        self._probe.record(
            "finite.parameters",
            {"parameters": parameters, "gradients": gradients},
            at=self._probe.locate(frame),
            essential=True,
        )

    def finished(self, reason: str) -> None:
        self._probe.record(
            "finite.summary",
            {"losses": self._probe.losses_read, "bad": self._bad, "inputs": self._inputs_looked},
        )


COLLECTOR = FinitenessCollector
