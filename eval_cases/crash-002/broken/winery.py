"""Grower of a wine from its chemistry (three growers, 13 measurements)."""
import json
import os

import torch
from sklearn.datasets import load_wine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout):
        super().__init__()
        layers = []
        for width in hidden:
            layers += [nn.Linear(n_in, width), nn.BatchNorm1d(width), nn.LeakyReLU(), nn.Dropout(dropout)]
            n_in = width
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(n_in, n_out)

    def forward(self, x):
        return self.head(self.body(x))


class Training:
    def __init__(self, settings):
        self.settings = settings
        torch.manual_seed(settings["seed"])
        wine = load_wine()
        x, y = torch.from_numpy(wine.data).float(), torch.from_numpy(wine.target)
        perm = torch.randperm(len(x))
        fit, self.rest = perm[:136], perm[136:]
        self.x = (x - x[fit].mean(0)) / x[fit].std(0)
        self.y = y
        self.loader = DataLoader(TensorDataset(self.x[fit], y[fit]), drop_last=bool(settings["loader"]["batch_size"]), **settings["loader"])
        self.net = Net(x.shape[1], settings["model"]["hidden"], 3, settings["model"]["dropout"])
        self.optimizer = torch.optim.AdamW(self.net.parameters(), **settings["optim"])

    def epoch(self):
        self.net.train()
        for x, y in self.loader:
            loss = nn.functional.cross_entropy(self.net(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self):
        self.net.eval()
        return (self.net(self.x[self.rest]).argmax(1) == self.y[self.rest]).float().mean().item()


if __name__ == "__main__":
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.json")) as f:
        training = Training(json.load(f))
    for e in range(training.settings["epochs"]):
        loss = training.epoch()
        if e % 3 == 0:
            print(f"epoch {e:2d} loss {loss:.3f} accuracy {training.accuracy():.3f}")
    print(f"final accuracy {training.accuracy():.3f}")
