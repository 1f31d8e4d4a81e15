"""LBFGS calls backward several times inside each step."""

from __future__ import annotations

import torch
from streams import print_torch_state, seed_streams
from torch import nn

seed_streams(17)
model = nn.Linear(3, 1)
inputs = torch.randn(50, 3)
targets = inputs @ torch.tensor([[0.3], [-0.7], [1.1]]) + 0.2
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=8)
calls = 0


def closure() -> torch.Tensor:
    global calls
    calls += 1
    optimizer.zero_grad()
    loss = nn.functional.smooth_l1_loss(model(inputs), targets)
    loss.backward()
    return loss


for step in range(8):
    print(step, float(optimizer.step(closure)), calls)

print_torch_state(model.parameters())
