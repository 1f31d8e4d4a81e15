"""The same training loop by turns without and with the probes, in one process on one thread.

`python overhead_loop.py RECORD_DIR MILLISECONDS STEPS PAIRS` grows the batch until a step takes about
that long, and prints one JSON object: for each pair the seconds of the plain and of the watched run,
as a whole, within the densely observed steps, and after them.
"""

from __future__ import annotations

import gc
import json
import sys
import time

import torch
from torch import nn

from evidence_collectors.probe import SeamConfig
from evidence_collectors.seam import Seam

DENSE = 200
CLOCK = time.process_time
"""Seconds of this process on the processor: what other programs do meanwhile does not count."""


class Net(nn.Module):
    """A perceptron of four layers."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 128), nn.ReLU()
        )
        self.head = nn.Linear(128, 10)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.head(self.layers(inputs))


def train(batch: int, steps: int) -> tuple[float, float]:
    """Seconds of all steps, and of the first `DENSE` of them."""
    torch.manual_seed(0)
    inputs, labels = torch.randn(batch, 64), torch.randint(0, 10, (batch,))
    model, criterion = Net(), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    gc.collect()
    began = CLOCK()
    dense = 0.0
    for step in range(steps):
        if step == DENSE:
            dense = CLOCK() - began
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        optimizer.step()
    return CLOCK() - began, dense


def watched(folder: str, batch: int, steps: int) -> tuple[float, float]:
    """The same under all collectors of a probe run; starting and ending them is not counted."""
    seam = Seam(SeamConfig(record_dir=folder, roots=(sys.path[0] + "/",), steps=DENSE))
    seam.install()
    try:
        return train(batch, steps)
    finally:
        seam.finish(0)


def take_off_modes() -> int:
    """Remove function modes that a watched run left behind, so that plain runs stay plain."""
    left = 0
    while torch.overrides._get_current_function_mode_stack():
        torch.overrides._pop_mode()
        left += 1
    return left


def fitting_batch(milliseconds: float) -> int:
    """The batch with which a step takes about this long."""
    batch = 8
    while batch < 100_000:
        train(batch, 20)
        if 1000 * train(batch, 60)[0] / 60 >= 0.9 * milliseconds:
            return batch
        batch = int(batch * 1.3) + 1
    return batch


def main() -> None:
    folder, milliseconds = sys.argv[1], float(sys.argv[2])
    steps, pairs = int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(1)
    batch = fitting_batch(milliseconds)
    watched(folder, batch, DENSE)
    left = take_off_modes()
    rows = []
    for _ in range(pairs):
        plain = train(batch, steps)
        seen = watched(folder, batch, steps)
        take_off_modes()
        rows.append({"plain": plain, "watched": seen})
    print(json.dumps({"batch": batch, "steps": steps, "left": left, "pairs": rows}))


if __name__ == "__main__":
    main()
