"""How many bikes are hired in an hour, from weather and clock."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def history(n):
    temperature = 12 + 9 * torch.randn(n)
    hour, weekend = torch.randint(0, 24, (n,)), (torch.rand(n) < 2 / 7).float()
    turn = (hour - 7) / 24 * 6.2832
    rate = torch.exp(1.5 + 0.04 * (temperature - 12) + 0.8 * turn.sin() - 0.5 * weekend * turn.cos())
    x = torch.stack([(temperature - 12) / 9, turn.sin(), turn.cos(), weekend], dim=1)
    return TensorDataset(x, torch.poisson(rate))


class Hires(nn.Module):
    """Predicts the logarithm of the expected count."""

    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(4, width), nn.Softplus(), nn.Linear(width, 1), nn.Flatten(0))

    def forward(self, x):
        return self.inner(x)


class Fit:
    def __init__(self, model, lr, criterion=nn.PoissonNLLLoss):
        self.model, self.criterion = model, criterion()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def epoch(self, loader):
        for x, y in loader:
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def error(self, loader):
        return torch.cat([(self.model(x).exp() - y).abs() for x, y in loader]).mean().item()


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--epochs", type=int, default=8)
    cli.add_argument("--lr", type=float, default=0.01)
    cli.add_argument("--width", type=int, default=32)
    args = cli.parse_args()
    torch.manual_seed(13)
    train, valid = random_split(history(1250), [1000, 250])
    fit = Fit(Hires(args.width), args.lr)
    train_loader, valid_loader = DataLoader(train, 25, shuffle=True), DataLoader(valid, 125)
    for i in range(args.epochs):
        fit.epoch(train_loader)
        print(f"epoch {i + 1} mean error {fit.error(valid_loader):.2f} bikes")
