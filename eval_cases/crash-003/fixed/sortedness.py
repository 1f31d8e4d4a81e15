#!/usr/bin/env python3
"""A small attention model says whether a list of numbers rises, falls or has its peak inside."""
import math

import torch
from torch import nn


def lists(n, length, generator):
    kind = torch.randint(0, 3, (n,), generator=generator)
    t = torch.linspace(0, 1, length)
    shapes = torch.stack([t, 1 - t, 1 - 2 * (t - 0.5).abs()])
    return shapes[kind] + 0.15 * torch.randn(n, length, generator=generator), kind


class Positions(nn.Module):
    def __init__(self, dim, longest=128):
        super().__init__()
        where = torch.arange(longest)[:, None]
        rate = torch.exp(torch.arange(0, dim, 2) * (-math.log(1e4) / dim))
        table = torch.zeros(longest, dim)
        table[:, 0::2] = torch.sin(where * rate)
        table[:, 1::2] = torch.cos(where * rate)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.size(1)]


class Judge(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.lift = nn.Linear(1, dim)
        self.positions = Positions(dim)
        self.layer = nn.TransformerEncoderLayer(dim, nhead=3, dim_feedforward=48, dropout=0.0, batch_first=True)
        self.out = nn.Linear(dim, 3)

    def forward(self, x):
        h = self.positions(self.lift(x.unsqueeze(-1)))
        return self.out(self.layer(h).mean(dim=1))


def main():
    generator = torch.Generator().manual_seed(6)
    torch.manual_seed(6)
    x, kind = lists(600, 14, generator)
    x_test, kind_test = lists(200, 14, generator)
    model = Judge()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for step, rows in enumerate(r for _ in range(3) for r in torch.randperm(600, generator=generator).split(25)):
        loss = nn.functional.cross_entropy(model(x[rows]), kind[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 24 == 0:
            print(f"step {step} loss {loss.item():.3f}")
    model.eval()
    with torch.inference_mode():
        share = (model(x_test).argmax(-1) == kind_test).float().mean().item()
    print(f"judged right: {share:.3f}")


if __name__ == "__main__":
    main()
