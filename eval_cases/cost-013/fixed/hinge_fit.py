import time

import torch
from torch import nn


def update(net, opt, x, y):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    return loss.item()


def data(n):
    x = torch.randn(n, 10) * torch.logspace(0, -2.5, 10)
    return x, (x @ torch.logspace(0, 2.5, 10))[:, None] + 0.5 * torch.randn(n, 1)


torch.manual_seed(1)
x, y = data(1500)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=2e-2)
clock = time.perf_counter()
for step in range(1, 801):
    rows = torch.randint(1200, (16,))
    loss = update(net, opt, x[rows], y[rows])
    if step % 160 == 0:
        print(f"step {step} loss {loss:.4f} {1000 * (time.perf_counter() - clock) / 160:.2f} ms a step")
        clock = time.perf_counter()
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x[1200:]), y[1200:]).item():.4f}")
