from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import torch
import torch.nn as nn


@dataclass
class Options:
    csv: Path = Path(__file__).resolve().parent / "machines.csv"
    label: str = "failed"
    sensors: int = 7
    hidden: list = field(default_factory=lambda: [32, 16])
    epochs: int = 25
    batch: int = 40
    lr: float = 0.005


class Standardizer:
    def fit(self, a):
        self.center, self.spread = a.mean(axis=0), a.std(axis=0) + 1e-8
        return self

    def __call__(self, a):
        return torch.as_tensor((a - self.center) / self.spread, dtype=torch.float32)


def load(o):
    table = pd.read_csv(o.csv)
    print(f"{len(table)} machines, {table[o.label].mean():.1%} failed")
    labels = torch.as_tensor(table.pop(o.label).to_numpy(copy=True), dtype=torch.float32)
    values = table.to_numpy(dtype=np.float64)
    order = np.random.default_rng(0).permutation(len(values))
    a, b = order[:800], order[800:]
    std = Standardizer().fit(values[a])
    return std(values[a]), labels[a], std(values[b]), labels[b]


def network(o):
    sizes = [o.sensors] + o.hidden
    parts = []
    for i, j in zip(sizes[:-1], sizes[1:]):
        parts.append(nn.Linear(i, j))
        parts.append(nn.SiLU())
    parts.append(nn.Linear(sizes[-1], 1))
    parts.append(nn.Flatten(0))
    return nn.Sequential(*parts)


def main():
    o = Options()
    torch.manual_seed(0)
    x, y, xv, yv = load(o)
    net = network(o)
    loss_fn = nn.BCEWithLogitsLoss()
    opt = torch.optim.NAdam(net.parameters(), lr=o.lr)
    for epoch in range(o.epochs):
        net.train()
        for rows in torch.randperm(len(x)).split(o.batch):
            opt.zero_grad()
            loss = loss_fn(net(x[rows]), y[rows])
            loss.backward()
            opt.step()
        if epoch % 8 == 0:
            print(f"epoch {epoch:02d} loss {loss.item():.3f}")
    net.eval()
    with torch.no_grad():
        acc = ((net(xv) > 0) == (yv > 0.5)).float().mean()
    print(f"held-out accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
