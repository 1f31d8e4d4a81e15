import configparser
from pathlib import Path

import torch
from torch import nn


class Settings:
    def __init__(self, path):
        parser = configparser.ConfigParser()
        parser.read(path)
        self.reduction = parser.get("objective", "reduction")
        self.lr = parser.getfloat("optimizer", "lr")
        self.epochs = parser.getint("optimizer", "epochs")
        self.batch = parser.getint("optimizer", "batch")


def alloys(n):
    share = torch.rand(n, 5)
    point = 2 * share[:, 0] - share[:, 1] * share[:, 2] + torch.cos(3 * share[:, 3])
    return share, point + 0.1 * torch.randn(n)


def run(settings):
    torch.manual_seed(33)
    x, y = alloys(960)
    net = nn.Sequential(nn.Linear(5, 40), nn.GELU(), nn.Linear(40, 1), nn.Flatten(0))
    criterion = nn.MSELoss(reduction=settings.reduction)
    opt = torch.optim.Adam(net.parameters(), lr=settings.lr)
    for epoch in range(1, settings.epochs + 1):
        total, batches = 0.0, 0
        for rows in torch.randperm(len(x)).split(settings.batch):
            loss = criterion(net(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
            batches += 1
        if epoch % 6 == 0:
            print(f"epoch {epoch} mean squared error per sample {total / batches:.4f}")


run(Settings(Path(__file__).with_name("objective.ini")))
