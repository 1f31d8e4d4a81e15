"""Load of a power grid from temperature, hour and weekday, with a choice of losses."""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

LOSSES = {"mae": nn.L1Loss, "mse": nn.MSELoss, "huber": nn.HuberLoss}


def history(n):
    temperature = 12 + 9 * torch.randn(n)
    hour, day = torch.randint(0, 24, (n,)), torch.randint(0, 7, (n,))
    load = (
        40 + 0.04 * (temperature - 16) ** 2
        + 8 * torch.sin((hour - 7) / 24 * 6.2832)
        - 6 * (day >= 5).float()
        + torch.randn(n)
    )
    turn = hour / 24 * 6.2832
    x = torch.stack([(temperature - 12) / 9, turn.sin(), turn.cos(), (day >= 5).float()], dim=1)
    return TensorDataset(x, (load - 42) / 8)


class Forecaster(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(4, width), nn.Softplus(), nn.Linear(width, 1), nn.Flatten(0))

    def forward(self, x):
        return self.inner(x)


class Fit:
    def __init__(self, loss, lr, width):
        self.criterion = LOSSES[loss]
        self.model = Forecaster(width)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def epoch(self, loader):
        for x, y in loader:
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def error(self, loader):
        return 8 * torch.cat([(self.model(x) - y).abs() for x, y in loader]).mean().item()


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--loss", choices=sorted(LOSSES), default="huber")
    cli.add_argument("--epochs", type=int, default=8)
    cli.add_argument("--lr", type=float, default=0.01)
    cli.add_argument("--width", type=int, default=32)
    args = cli.parse_args()
    torch.manual_seed(13)
    train, valid = random_split(history(1250), [1000, 250])
    fit = Fit(args.loss, args.lr, args.width)
    train_loader, valid_loader = DataLoader(train, 25, shuffle=True), DataLoader(valid, 125)
    for i in range(args.epochs):
        fit.epoch(train_loader)
        print(f"epoch {i + 1} mean error {fit.error(valid_loader):.2f} GW")
