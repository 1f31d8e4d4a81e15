import torch
from torch import nn


def season(n, g):
    x = torch.randn(n, 20, generator=g)
    y = torch.sin(x[:, 0]) + 0.5 * x[:, 1] + 0.5 * torch.randn(n, generator=g)
    return x, y[:, None]


class Keeper:
    """Remembers the weights of the lowest validation error."""

    def __init__(self):
        self.error, self.weights = float("inf"), None

    def see(self, net, error):
        if error < self.error:
            self.error, self.weights = error, net.state_dict()


g = torch.Generator().manual_seed(1)
torch.manual_seed(1)
x, y = season(120, g)
xv, yv = season(400, g)
xt, yt = season(400, g)
net = nn.Sequential(nn.Linear(20, 64), nn.Tanh(), nn.Linear(64, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
mse = nn.MSELoss()
keeper = Keeper()
for epoch in range(1, 121):
    for rows in torch.randperm(120).split(30):
        opt.zero_grad()
        loss = mse(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    with torch.no_grad():
        error = mse(net(xv), yv).item()
    keeper.see(net, error)
    if epoch % 20 == 0:
        print(f"epoch {epoch} train {loss.item():.3f} validation {error:.3f}")
net.load_state_dict(keeper.weights)
with torch.no_grad():
    print(f"best validation {keeper.error:.3f}, test with these weights {mse(net(xt), yt).item():.3f}")
