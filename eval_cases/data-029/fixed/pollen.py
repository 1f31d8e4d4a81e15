import copy

import torch
from torch import nn


def season(n, g):
    x = torch.randn(n, 20, generator=g)
    y = torch.sin(x[:, 0]) + 0.5 * x[:, 1] + 0.5 * torch.randn(n, generator=g)
    return x, y[:, None]


class Keeper:
    """Remembers the weights of the lowest validation error."""

    def __init__(self):
        self.error, self.weights, self.since = float("inf"), None, 0

    def see(self, net, error):
        self.since += 1
        if error < self.error:
            self.since = 0
            self.error, self.weights = error, copy.deepcopy(net.state_dict())


g = torch.Generator().manual_seed(1)
torch.manual_seed(1)
x, y = season(240, g)
xv, yv = season(400, g)
xt, yt = season(400, g)
net = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
mse = nn.MSELoss()
keeper = Keeper()
for epoch in range(1, 201):
    for rows in torch.randperm(240).split(24):
        opt.zero_grad()
        loss = mse(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    with torch.no_grad():
        error = mse(net(xv), yv).item()
    keeper.see(net, error)
    if epoch % 5 == 0:
        print(f"epoch {epoch} train {loss.item():.3f} validation {error:.3f}")
    if keeper.since == 25:
        break
net.load_state_dict(keeper.weights)
with torch.no_grad():
    print(f"best validation {keeper.error:.3f}, test with these weights {mse(net(xt), yt).item():.3f}")
