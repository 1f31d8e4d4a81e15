"""Strength of concrete from its mix: a phase-driven runner."""
import tomllib
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch


class Split(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


def mixes(n, rng):
    cement, water = rng.uniform(150, 500, n), rng.uniform(130, 230, n)
    slag, age = rng.uniform(0, 250, n), rng.choice([3, 7, 14, 28, 56, 90], n)
    strength = 90 * np.exp(-1.6 * water / (cement + 0.6 * slag)) * (np.log(age + 1) / np.log(29)) ** 0.6
    return np.column_stack([cement, water, slag, np.log(age)]), strength + rng.normal(0, 0.8, n)


def splits(seed):
    raw, strength = mixes(1200, np.random.default_rng(seed))
    raw = (raw - raw[:900].mean(0)) / raw[:900].std(0)
    strength = (strength - strength[:900].mean()) / strength[:900].std()
    x, y = torch.tensor(raw, dtype=torch.float32), torch.tensor(strength, dtype=torch.float32)
    return {"fit": Split(x[:900], y[:900]), "holdout": Split(x[900:], y[900:])}


class Runner:
    def __init__(self, model, optimizer, data):
        self.model, self.optimizer, self.data = model, optimizer, data

    def phase(self, split, mode, batch, learn):
        self.model.train(mode == "train")
        x, y = self.data[split]
        order = torch.randperm(len(x)) if learn else torch.arange(len(x))
        squares = 0.0
        with torch.set_grad_enabled(learn):
            for rows in order.split(batch):
                loss = (self.model(x[rows]).squeeze(1) - y[rows]).square().mean()
                if learn:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                squares += loss.item() * len(rows)
        return (squares / len(x)) ** 0.5


def main():
    conf = tomllib.loads(Path(__file__).with_name("phases.toml").read_text())
    torch.manual_seed(conf["seed"])
    p = conf["dropout"]
    model = torch.nn.Sequential(
        torch.nn.Linear(4, 64), torch.nn.ReLU(), torch.nn.Dropout(p),
        torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Dropout(p),
        torch.nn.Linear(64, 1),
    )
    runner = Runner(model, torch.optim.Adam(model.parameters(), lr=conf["lr"]), splits(conf["seed"]))
    for epoch in range(1, conf["epochs"] + 1):
        result = {ph["split"]: runner.phase(**ph) for ph in conf["phase"]}
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d}", " ".join(f"{k} rmse {v:.3f}" for k, v in result.items()))
    print(f"holdout rmse {result['holdout']:.3f} standard deviations")


if __name__ == "__main__":
    main()
