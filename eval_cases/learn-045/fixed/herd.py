import copy

import torch
from torch import nn


class Patience:
    def __init__(self, rounds):
        self.rounds, self.left, self.best, self.weights = rounds, rounds, float("inf"), None

    def enough(self, value, net):
        if value < self.best:
            self.best, self.left, self.weights = value, self.rounds, copy.deepcopy(net.state_dict())
        else:
            self.left -= 1
        return self.left == 0


torch.manual_seed(3)
x = torch.randn(900, 10)
milk = (torch.tanh(x[:, 0]) + x[:, 1] - 0.5 * x[:, 2].abs() + 0.4 * torch.randn(900))[:, None]
fit, val, test = slice(0, 500), slice(500, 700), slice(700, 900)
net = nn.Sequential(nn.Linear(10, 48), nn.SiLU(), nn.Linear(48, 1))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
patience = Patience(6)
for epoch in range(1, 501):
    for rows in torch.randperm(500).split(25):
        loss = nn.functional.mse_loss(net(x[fit][rows]), milk[fit][rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        value = nn.functional.mse_loss(net(x[val]), milk[val]).item()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f} validation {value:.3f}")
    if patience.enough(value, net):
        print(f"stopped after epoch {epoch}")
        break
net.load_state_dict(patience.weights)
with torch.no_grad():
    print(f"best validation {patience.best:.3f} test {nn.functional.mse_loss(net(x[test]), milk[test]).item():.3f} (noise 0.160)")
