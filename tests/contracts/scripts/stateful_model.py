"""A model that counts, prints, draws and remembers in its own forward."""

from __future__ import annotations

import random

import numpy as np
import torch
from streams import print_torch_state, seed_streams
from torch import nn

CALLS = 0
LENGTHS: list[int] = []
SEEN: dict[str, list[float]] = {"scale": []}


class Tagger(nn.Module):
    """Carries its state from batch to batch and keeps the last attention."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(12, 8, padding_idx=0, max_norm=1.0)
        self.drop = nn.Dropout(0.2)
        self.rnn = nn.GRU(8, 8, batch_first=True)
        self.norm = nn.BatchNorm1d(8)
        self.out = nn.Linear(8, 3)
        self.state: torch.Tensor | None = None
        self.last: torch.Tensor | None = None
        self.kept: list[torch.Tensor] = []

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        global CALLS
        CALLS += 1
        LENGTHS.append(int((ids > 0).sum()))
        scale = 1 + 0.01 * random.random() + 0.01 * float(np.random.rand())  # noqa: NPY002
        SEEN["scale"].append(scale)
        if CALLS % 10 == 1:
            print("call", CALLS)
        hidden, state = self.rnn(self.drop(self.embed(ids)), self.state)
        self.state = state.detach()
        weight = (hidden @ hidden.transpose(1, 2)).softmax(-1)
        self.last = weight
        self.kept = [*self.kept[-2:], weight]
        hidden = (weight @ hidden).reshape(len(ids), -1, 8)
        hidden = self.norm(hidden.transpose(1, 2)).transpose(1, 2)
        output: torch.Tensor = self.out(hidden * scale)
        return output


seed_streams(23)
random.seed(3)
np.random.seed(4)  # noqa: NPY002
ids = torch.randint(1, 12, (96, 7))
ids[torch.arange(7) >= torch.randint(3, 8, (96, 1))] = 0
tags = ids % 3
model = Tagger()
model.rnn.register_forward_hook(lambda module, inputs, output: LENGTHS.append(-1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(3):
    for rows in torch.randperm(96).split(16):
        loss = nn.functional.cross_entropy(model(ids[rows]).transpose(1, 2), tags[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item(), CALLS, len(LENGTHS), sum(LENGTHS))

print(sum(SEEN["scale"]), random.random(), float(np.random.rand()))  # noqa: NPY002
print_torch_state([*model.parameters(), *(b.float() for b in model.buffers())])
