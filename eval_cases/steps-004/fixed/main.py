import json
import os

import torch
from torch import nn

with open(os.path.join(os.path.dirname(__file__), "callbacks.json")) as fh:
    SETTINGS = json.load(fh)


class Loop:
    def __init__(self, model, lr):
        self.model, self.opt = model, torch.optim.Adam(model.parameters(), lr=lr)
        table = {"zero": self.zero, "evaluate": self.evaluate, "differentiate": self.differentiate, "apply": self.apply}
        self.actions = [table[name] for name, _ in sorted(SETTINGS["priority"].items(), key=lambda kv: kv[1])]

    def zero(self, batch):
        self.opt.zero_grad()

    def evaluate(self, batch):
        x, y = batch
        self.loss = ((self.model(x).squeeze(1) - y) ** 2).mean()

    def differentiate(self, batch):
        self.loss.backward()

    def apply(self, batch):
        self.opt.step()

    def run(self, batches):
        total = 0.0
        for batch in batches:
            for act in self.actions:
                act(batch)
            total += self.loss.item()
        return total / len(batches)


def demand(n):
    hour, outside, wind = torch.rand(n) * 24, torch.randn(n), torch.rand(n)
    y = torch.cos((hour - 7) / 24 * 6.2832) - 0.8 * outside + 0.5 * wind + 0.1 * torch.randn(n)
    feats = torch.stack([torch.sin(hour / 24 * 6.2832), torch.cos(hour / 24 * 6.2832), outside, wind], 1)
    return feats, y


torch.manual_seed(SETTINGS["seed"])
x, y = demand(1000)
xv, yv = demand(300)
loop = Loop(nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 1)), SETTINGS["lr"])
for epoch in range(SETTINGS["epochs"]):
    order = torch.randperm(len(x)).split(SETTINGS["batch"])
    mse = loop.run([(x[i], y[i]) for i in order])
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:2d} mse {mse:.4f}")
with torch.no_grad():
    print(f"validation rmse {(loop.model(xv).squeeze(1) - yv).pow(2).mean().sqrt().item():.4f}")
