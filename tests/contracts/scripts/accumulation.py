"""Gradients of four micro-batches are summed on purpose before each update."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from streams import print_torch_state, seed_streams
from torch import nn

seed_streams(11)
model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5, gamma=0.5)
inputs = torch.randn(128, 6)
targets = inputs.sum(1, keepdim=True).sin()

for step in range(64):
    rows = torch.randperm(128)[:8]
    loss = F.mse_loss(model(inputs[rows]), targets[rows]) / 4
    loss.backward()
    if step % 4 == 3:
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        scheduler.step()
        print(step, loss.item(), float(norm), scheduler.get_last_lr())

print_torch_state(model.parameters())
