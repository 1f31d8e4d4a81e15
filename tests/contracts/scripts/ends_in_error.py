"""Trains a little, then meets a wrong shape; the traceback is part of what is compared."""

from __future__ import annotations

import torch
from streams import print_torch_state, seed_streams
from torch import nn

seed_streams(23)
model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
print_torch_state(model.parameters())
model(torch.randn(8, 5))
