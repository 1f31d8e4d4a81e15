"""One input is NaN, so that the loss and then every weight is."""

from __future__ import annotations

import torch
from streams import print_torch_state, seed_streams
from torch import nn

seed_streams(31)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2), nn.Softmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs = torch.randn(24, 3)
labels = torch.randint(0, 2, (24,))
inputs[13, 1] = float("nan")
for rows in torch.arange(24).split(6):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(inputs[rows]), labels[rows])
    loss.backward()
    optimizer.step()
    print(loss.item())
print_torch_state(model.parameters())
