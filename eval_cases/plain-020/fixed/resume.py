"""Train, checkpoint, resume. Uses activation checkpointing too."""
import argparse
import os
import tempfile

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Res(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a, self.b = nn.Linear(d, 2 * d), nn.Linear(2 * d, d)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


class Net(nn.Module):
    def __init__(self, d=32, n=4):
        super().__init__()
        self.inp = nn.Linear(8, d)
        self.blocks = nn.ModuleList([Res(d) for _ in range(n)])
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        h = self.inp(x)
        for b in self.blocks:
            h = checkpoint(b, h, use_reentrant=False)
        return self.out(h)


def data():
    g = torch.Generator().manual_seed(5)
    x = torch.randn(2000, 8, generator=g)
    y = (x[:, :1] * x[:, 1:2] + x[:, 2:3].abs() - 0.5 * x[:, 3:4])
    return x, y


def build():
    m = Net()
    o = torch.optim.AdamW(m.parameters(), lr=2e-3)
    s = torch.optim.lr_scheduler.CosineAnnealingLR(o, 12)
    return m, o, s


def save(path, m, o, s, epoch):
    torch.save({"m": m.state_dict(), "o": o.state_dict(), "s": s.state_dict(), "epoch": epoch}, path)


def load(path, m, o, s):
    c = torch.load(path)
    m.load_state_dict(c["m"]); o.load_state_dict(c["o"]); s.load_state_dict(c["s"])
    return c["epoch"] + 1


def train(path, until):
    m, o, s = build()
    start = load(path, m, o, s) if os.path.exists(path) else 0
    if start: print("resumed at epoch", start)
    x, y = data()
    for ep in range(start, until):
        m.train()
        for i in torch.randperm(1600).split(64):
            loss = nn.functional.mse_loss(m(x[i]), y[i])
            loss.backward()
            o.step()
            o.zero_grad()
        s.step()
        m.eval()
        with torch.no_grad():
            v = nn.functional.mse_loss(m(x[1600:]), y[1600:])
        print(f"epoch {ep} train {loss.item():.4f} val {v.item():.4f}")
        save(path, m, o, s, ep)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--dir", default=None)
    a = p.parse_args()
    torch.manual_seed(0)
    d = a.dir or tempfile.mkdtemp()
    f = os.path.join(d, "last.pt")
    train(f, 6)
    train(f, 12)
    os.remove(f)
