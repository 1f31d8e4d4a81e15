"""Linear regression with autograd and an update written by hand; no optimizer, no module."""

from __future__ import annotations

import torch
from streams import print_torch_state, seed_streams

seed_streams(5)
x = torch.randn(64, 3)
y = x @ torch.tensor([1.0, -2.0, 0.5]) + 0.1 * torch.randn(64)
w = torch.zeros(3, requires_grad=True)
b = torch.zeros((), requires_grad=True)

for step in range(60):
    rows = torch.randint(0, 64, (16,))
    loss = ((x[rows] @ w + b - y[rows]) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in (w, b):
            parameter -= 0.05 * parameter.grad
            parameter.grad = None
    if step % 20 == 0:
        print(step, loss.item())

print_torch_state([w, b])
