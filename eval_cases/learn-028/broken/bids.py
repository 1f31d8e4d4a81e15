import argparse

import torch
from torch import nn

cli = argparse.ArgumentParser()
cli.add_argument("--batch", type=int, default=1)
cli.add_argument("--updates", type=int, default=800)
args = cli.parse_args()


def bids(n, g):
    x = torch.randn(n, 10, generator=g)
    return x, (x[:, :3].sum(1) + 0.5 * x[:, 3] ** 2 + 1.5 * torch.randn(n, generator=g))[:, None]


g = torch.Generator().manual_seed(27)
torch.manual_seed(27)
x, y = bids(4000, g)
xt, yt = bids(1000, g)
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for k in range(1, args.updates + 1):
    rows = torch.randint(4000, (args.batch,))
    loss = nn.functional.mse_loss(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if k % 100 == 0:
        with torch.no_grad():
            print(f"update {k} loss {loss.item():.3f} test mse {nn.functional.mse_loss(net(xt), yt).item():.3f} (noise 2.25)")
