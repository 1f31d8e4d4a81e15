from copy import deepcopy

import torch
from torch import nn

torch.manual_seed(9)


def harvest(n):
    x = torch.randn(n, 8)
    return x, (torch.tanh(x[:, :2].sum(1)) + 0.3 * x[:, 3] ** 2 + 0.2 * torch.randn(n))[:, None]


(x, y), (xv, yv), (xt, yt) = harvest(500), harvest(300), harvest(300)
net = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3, weight_decay=1e-3)
best, best_error, best_epoch = None, float("inf"), 0
for epoch in range(1, 31):
    for rows in torch.randperm(500).split(25):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(net(xv), yv).item()
    if error < best_error:
        best, best_error, best_epoch = deepcopy(net.state_dict()), error, epoch
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f} validation {error:.4f}")
net.load_state_dict(best)
with torch.no_grad():
    print(f"epoch {best_epoch}: validation {nn.functional.mse_loss(net(xv), yv).item():.4f} as noted {best_error:.4f}, test {nn.functional.mse_loss(net(xt), yt).item():.4f}")
