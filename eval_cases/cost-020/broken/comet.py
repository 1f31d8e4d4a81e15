import random

import numpy as np
import torch
from torch import nn


def set_seed(seed):
    random.seed(seed)
    torch.manual_seed(seed)


def tails(n):
    x = np.random.normal(size=(n, 5)).astype("float32")
    y = np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + np.random.normal(0, 0.3, n)
    return torch.from_numpy(x), torch.tensor(y[:, None]).float()


set_seed(42)
x, y = tails(200)
xt, yt = tails(100)
net = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 31):
    for rows in torch.randperm(200).split(20):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(xt), yt).item():.5f}")
