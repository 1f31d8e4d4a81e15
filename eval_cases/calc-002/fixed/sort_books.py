import json
from pathlib import Path

import numpy as np
import torch
from torch import nn


class Shelf:
    """Word counts of short book summaries, four shelves."""

    def __init__(self, conf, seed):
        rng = np.random.default_rng(seed)
        base = np.random.default_rng(1).gamma(0.5, 1.0, conf["vocabulary"])
        tilt = np.exp(np.random.default_rng(2).normal(0, conf["tilt"], (conf["shelves"], conf["vocabulary"])))
        self.label = torch.from_numpy(rng.integers(0, conf["shelves"], conf["summaries"]))
        p = base * tilt[self.label]
        length = rng.integers(40, 120, conf["summaries"])[:, None]
        self.counts = torch.from_numpy(rng.poisson(length * p / p.sum(1, keepdims=True))).float()

    def features(self, pseudocount):
        return torch.log(self.counts + pseudocount)


class Classifier(nn.Module):
    def __init__(self, n_words, hidden, n_shelves, centre, spread):
        super().__init__()
        self.register_buffer("centre", centre)
        self.register_buffer("spread", spread)
        self.net = nn.Sequential(nn.Linear(n_words, hidden), nn.ReLU(), nn.Dropout(0.3), nn.Linear(hidden, n_shelves))

    def forward(self, x):
        return self.net((x - self.centre) / self.spread)


def main():
    conf = json.loads(Path(__file__).with_name("settings.json").read_text())
    torch.manual_seed(conf["seed"])
    train, test = Shelf(conf, 10), Shelf(conf, 11)
    x, x_test = train.features(conf["pseudocount"]), test.features(conf["pseudocount"])
    model = Classifier(conf["vocabulary"], conf["hidden"], conf["shelves"], x.mean(), x.std())
    optimizer = torch.optim.AdamW(model.parameters(), lr=conf["lr"])
    for epoch in range(1, conf["epochs"] + 1):
        model.train()
        losses = []
        for rows in torch.randperm(len(x)).split(conf["batch"]):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[rows]), train.label[rows])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            hit = (model(x_test).argmax(1) == test.label).float().mean()
        print(f"epoch {epoch} loss {np.mean(losses):.4f} right shelf {hit:.3f}")


main()
