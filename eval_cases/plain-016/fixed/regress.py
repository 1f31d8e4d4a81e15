import csv
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


@dataclass
class Opts:
    hidden: list = field(default_factory=lambda: [32, 32])
    lr: float = 2e-3
    epochs: int = 25
    batch: int = 32
    out: str = "runs"
    seed: int = 0


def frame(n, seed):
    r = np.random.default_rng(seed)
    df = pd.DataFrame({"area": r.uniform(30, 200, n), "age": r.integers(0, 80, n), "rooms": r.integers(1, 7, n)})
    df["price"] = 3000 * df.area + 12000 * df.rooms - 900 * df.age + 80 * (df.area - 100) ** 2 * 0.5 + r.normal(0, 8000, n)
    return df


class Houses(Dataset):
    def __init__(self, df):
        x = df[["area", "age", "rooms"]].to_numpy("float32")
        self.x = torch.from_numpy((x - x.mean(0)) / x.std(0))
        y = df[["price"]].to_numpy("float32")            # (N, 1)
        self.scale = float(y.std())
        self.y = torch.from_numpy((y - y.mean()) / y.std())

    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], self.y[i]


class Trainer:
    def __init__(self, o: Opts):
        self.o = o
        torch.manual_seed(o.seed)
        self.ds = Houses(frame(1000, o.seed))
        tr, va = random_split(self.ds, [800, 200])
        self.tr, self.va = DataLoader(tr, o.batch, shuffle=True), DataLoader(va, 200)
        sizes = [3, *o.hidden, 1]
        mods = []
        for a, b in zip(sizes, sizes[1:]):
            mods += [nn.Linear(a, b), nn.Tanh()]
        self.model = nn.Sequential(*mods[:-1])
        self.opt = torch.optim.Adam(self.model.parameters(), lr=o.lr)
        self.loss = nn.MSELoss()

    def epoch(self, loader, train):
        self.model.train(train)
        tot = n = 0
        with torch.set_grad_enabled(train):
            for x, y in loader:
                pred = self.model(x)
                assert pred.shape == y.shape
                l = self.loss(pred, y)
                if train:
                    self.opt.zero_grad()
                    l.backward()
                    self.opt.step()
                tot += l.item() * len(x); n += len(x)
        return tot / n

    def fit(self):
        d = Path(self.o.out); d.mkdir(exist_ok=True)
        with open(d / "log.csv", "w", newline="") as f:
            w = csv.writer(f); w.writerow(["epoch", "train", "val", "time"])
            for e in range(self.o.epochs):
                a, b = self.epoch(self.tr, True), self.epoch(self.va, False)
                w.writerow([e, a, b, time.time()])
        print("final train", a, "val", b, "rmse in euro", b ** 0.5 * self.ds.scale)


if __name__ == "__main__":
    o = Opts()
    print(asdict(o))
    Trainer(o).fit()
