import tomllib
from pathlib import Path

import torch
from torch import nn


class Experiment:
    def __init__(self, conf):
        torch.manual_seed(conf["seed"])
        self.conf = conf
        self.criterion = getattr(nn, conf["criterion"])()
        self.net = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, conf["tags"]))
        self.opt = getattr(torch.optim, conf["optimizer"])(self.net.parameters(), lr=conf["lr"])
        g = torch.Generator().manual_seed(88)
        self.mix = torch.randn(conf["tags"], 24, generator=g)
        self.train, self.test = self.pictures(1200, g), self.pictures(300, g)

    def pictures(self, n, g):
        tags = (torch.rand(n, self.conf["tags"], generator=g) < 0.15).float()
        return tags @ self.mix + 0.5 * torch.randn(n, 24, generator=g), tags

    def fit(self):
        x, y = self.train
        for epoch in range(1, self.conf["epochs"] + 1):
            for rows in torch.randperm(len(x)).split(self.conf["batch"]):
                self.opt.zero_grad()
                loss = self.criterion(self.net(x[rows]), y[rows])
                loss.backward()
                self.opt.step()
            if epoch % 5 == 0:
                print(f"epoch {epoch} loss {loss.item():.4f}")

    @torch.no_grad()
    def scores(self):
        x, y = self.test
        hit = self.net(x) > 0
        f1 = (2 * (hit & (y > 0)).sum() / (hit.sum() + y.sum())).item()
        return f1, (hit == (y > 0)).all(1).float().mean().item()


run = Experiment(tomllib.loads((Path(__file__).parent / "tags.toml").read_text()))
run.fit()
print("test f1 {:.3f}, all tags right {:.3f}".format(*run.scores()))
