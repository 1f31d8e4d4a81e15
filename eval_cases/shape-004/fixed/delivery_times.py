"""Delivery time bands: three quantiles from one network."""
import numpy as np
import torch
from torch import nn

LEVELS = torch.tensor([0.1, 0.5, 0.9])


def orders(n, seed):
    r = np.random.default_rng(seed)
    distance = r.uniform(0, 10, n)
    traffic = r.uniform(0, 1, n)
    minutes = 8 + 3 * distance * (1 + traffic) + r.gamma(2.0, 1 + 0.5 * distance * traffic, n)
    X = np.stack([distance / 5 - 1, 2 * traffic - 1], axis=1)
    return torch.tensor(X, dtype=torch.float32), torch.tensor(minutes[:, None] / 10, dtype=torch.float32)


def tilted(bands, minutes):
    gap = minutes - bands
    return torch.where(gap >= 0, LEVELS * gap, (LEVELS - 1) * gap).sum(dim=1).mean()


class Bands(nn.Module):
    def __init__(self, n_in, n_levels):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.low = nn.Linear(32, 1)
        self.widths = nn.Linear(32, n_levels - 1)

    def forward(self, x):
        h = self.f(x)
        low = self.low(h)
        return torch.cat([low, low + nn.functional.softplus(self.widths(h)).cumsum(1)], dim=1)


def main():
    torch.manual_seed(2)
    X, y = orders(2000, 0)
    Xt, yt = orders(1000, 1)
    net = Bands(2, len(LEVELS))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(20):
        for rows in torch.randperm(len(X)).split(64):
            loss = tilted(net(X[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d} loss {loss.item():.4f}")
    net.eval()
    with torch.no_grad():
        q = net(Xt)
        constant = torch.quantile(y, LEVELS).expand(len(yt), 3)
        print(f"loss {tilted(q, yt):.4f}, with the same band for all orders {tilted(constant, yt):.4f}")
        print("share of orders under each level: " + " ".join(f"{v:.2f}" for v in (yt <= q).float().mean(0)))


main()
