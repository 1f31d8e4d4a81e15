"""Simulated answers: a person picks the better offer with a known probability only."""
import torch
from torch import nn


def offers(n, g):
    x = torch.randn(n, 5, generator=g)
    better = x[:, 0] + x[:, 1] * x[:, 2] > 0
    follows = torch.rand(n, generator=g) < 0.72
    return x, torch.where(follows, better, ~better).float()


g = torch.Generator().manual_seed(44)
x, y = offers(4000, g)
xt, yt = offers(4000, g)
torch.manual_seed(44)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(1, 11):
    total = 0
    for rows in torch.randperm(4000).split(80):
        opt.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
        total += loss.item() / 50
    with torch.no_grad():
        right = ((net(xt) > 0).float() == yt).float().mean().item()
    if epoch % 2 == 0:
        print(f"epoch {epoch} loss {total:.3f} test accuracy {right:.3f} (best possible 0.720)")
