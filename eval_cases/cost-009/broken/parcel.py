import time

import torch
from torch import nn


class Parcel(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(9, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, x):
        return self.inner(x).squeeze(-1)


def batch_loss(net, x, y):
    total = 0.0
    for k in range(len(x)):
        total = total + (net(x[k]) - y[k]).square()
    return total / len(x)


torch.manual_seed(4)
x = torch.randn(800, 9)
cost = x[:, 0] * x[:, 1] + x[:, 2].clamp(min=0)
net = Parcel()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 6):
    clock = time.perf_counter()
    for rows in torch.randperm(640).split(64):
        opt.zero_grad()
        loss = batch_loss(net, x[rows], cost[rows])
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f} {time.perf_counter() - clock:.3f} s")
with torch.no_grad():
    print(f"test mse {batch_loss(net, x[640:], cost[640:]).item():.4f}")
