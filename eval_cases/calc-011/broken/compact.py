from configparser import ConfigParser

import torch
from sklearn.datasets import load_digits
from torch import nn


class CompactTrainer:
    """Keeps float32 weights, computes with a copy in another type."""

    def __init__(self, cfg):
        run, kind = cfg["run"], cfg["numbers"]
        torch.manual_seed(run.getint("seed"))
        self.kind = getattr(torch, kind["type"])
        self.factor = kind.getfloat("factor")
        self.batch, self.epochs = run.getint("batch"), run.getint("epochs")
        self.master = self.build(run.getint("hidden"))
        self.copy = self.build(run.getint("hidden")).to(self.kind)
        self.optimizer = torch.optim.SGD(self.master.parameters(), lr=run.getfloat("lr"), momentum=0.9)
        digits = load_digits()
        order = torch.randperm(len(digits.target))
        self.x = (torch.tensor(digits.data, dtype=torch.float32) / 16)[order]
        self.y = torch.tensor(digits.target)[order]
        self.cut = 1400

    @staticmethod
    def build(hidden):
        return nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, 10))

    def refresh(self):
        with torch.no_grad():
            for small, full in zip(self.copy.parameters(), self.master.parameters()):
                small.copy_(full)
                small.grad = None

    def step(self, rows):
        self.refresh()
        loss = nn.functional.cross_entropy(self.copy(self.x[rows].to(self.kind)), self.y[rows])
        (loss * self.factor).backward()
        for small, full in zip(self.copy.parameters(), self.master.parameters()):
            full.grad = small.grad.float() / self.factor
        self.optimizer.step()
        return loss.item()

    def run(self):
        for epoch in range(self.epochs):
            losses = [self.step(rows) for rows in torch.randperm(self.cut).split(self.batch)]
            print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}")
        with torch.no_grad():
            out = self.master(self.x[self.cut:])
            y = self.y[self.cut:]
            print(f"test loss {nn.functional.cross_entropy(out, y):.4f} accuracy {(out.argmax(1) == y).float().mean():.3f}")


cfg = ConfigParser()
cfg.read("compact.ini")
CompactTrainer(cfg).run()
