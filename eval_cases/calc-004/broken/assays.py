from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

ASSAYS = ["liver", "kidney", "heart", "skin", "eye"]
MEASURED = [0.9, 0.7, 0.6, 0.4, 0.08]


@dataclass
class Options:
    rows: int = 1600
    bits: int = 64
    hidden: int = 64
    batch: int = 32
    epochs: int = 12
    lr: float = 0.003
    seed: int = 21


def molecules(opt):
    rng = np.random.default_rng(opt.seed)
    bits = (rng.random((opt.rows, opt.bits)) < 0.3).astype(np.float32)
    effect = rng.normal(size=(opt.bits, len(ASSAYS))) * (rng.random((opt.bits, 1)) < 0.4)
    value = (bits - 0.3) @ effect
    value = value / value.std(0) + 0.2 * rng.normal(size=value.shape)
    known = rng.random(value.shape) < np.array(MEASURED)
    return torch.from_numpy(bits), torch.tensor(value, dtype=torch.float32), torch.from_numpy(known).float()


class Trainer:
    def __init__(self, opt):
        torch.manual_seed(opt.seed)
        self.opt = opt
        self.bits, self.value, self.known = molecules(opt)
        self.cut = opt.rows * 3 // 4
        self.net = nn.Sequential(nn.Linear(opt.bits, opt.hidden), nn.GELU(), nn.Linear(opt.hidden, len(ASSAYS)))
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=opt.lr, weight_decay=0.01)

    def loss(self, rows):
        known = self.known[rows]
        error = (self.net(self.bits[rows]) - self.value[rows]).pow(2) * known
        per_assay = error.sum(0) / known.sum(0)
        return per_assay.mean()

    def epoch(self):
        history = []
        for rows in torch.randperm(self.cut).split(self.opt.batch):
            loss = self.loss(rows)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.optimizer.step()
            history.append(loss.item())
        return history

    def run(self):
        for number in range(self.opt.epochs):
            history = self.epoch()
            print(f"epoch {number}: first {history[0]:.4f} last {history[-1]:.4f}")
        with torch.no_grad():
            print(f"held-out loss {self.loss(torch.arange(self.cut, self.opt.rows)):.4f} (spread of the values is 1)")


if __name__ == "__main__":
    Trainer(Options()).run()
