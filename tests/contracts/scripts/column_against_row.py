"""A column of predictions minus a row of targets, and a value that leaves the graph."""

from __future__ import annotations

import torch
from streams import print_torch_state, seed_streams
from torch import nn

seed_streams(29)
encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
parameters = [*encoder.parameters(), *head.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.01)
inputs, targets = torch.randn(20, 3), torch.randn(20)
for step in range(20):
    optimizer.zero_grad()
    code = encoder(inputs).detach()
    loss = ((head(code) - targets) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
print_torch_state(parameters)
