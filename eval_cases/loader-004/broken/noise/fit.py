import torch
from torch import nn


class Fit:
    def __init__(self, lr: float):
        self.net = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

    def epoch(self, loader) -> float:
        total = 0.0
        for x, y in loader:
            loss = (self.net(x) - y).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def rmse(self, loader) -> float:
        return 6 * torch.cat([(self.net(x) - y).pow(2) for x, y in loader]).mean().sqrt().item()
