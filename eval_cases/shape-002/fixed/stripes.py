#!/usr/bin/env python3
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Stripes(Dataset):
    """Noisy gratings in four directions."""

    def __init__(self, n, size, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 4, (n,), generator=g)
        angle = self.y * math.pi / 4 + 0.15 * torch.randn(n, generator=g)
        phase = 6.28 * torch.rand(n, 1, 1, generator=g)
        axis = torch.linspace(-1, 1, size)
        yy, xx = torch.meshgrid(axis, axis, indexing="ij")
        along = xx * angle.cos()[:, None, None] + yy * angle.sin()[:, None, None]
        self.x = torch.sin(9 * along + phase) + 0.6 * torch.randn(n, size, size, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i][None], self.y[i]


class DirectionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3)
        self.conv2 = nn.Conv2d(8, 16, 3)
        self.fc1 = nn.Linear(16 * 3 * 3, 32)
        self.fc2 = nn.Linear(32, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        return self.fc2(x)


class Runner:
    def __init__(self, args):
        torch.manual_seed(args.seed)
        self.args = args
        self.net = DirectionNet()
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=args.lr)
        self.train_dl = DataLoader(Stripes(800, args.size, 1), args.batch, shuffle=True)
        self.test_dl = DataLoader(Stripes(300, args.size, 2), 100)

    def fit(self):
        for epoch in range(self.args.epochs):
            self.net.train()
            for x, y in self.train_dl:
                loss = F.cross_entropy(self.net(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            print("epoch", epoch, "loss", round(loss.item(), 4))

    @torch.no_grad()
    def test(self):
        self.net.eval()
        hits = sum((self.net(x).argmax(1) == y).sum().item() for x, y in self.test_dl)
        return hits / len(self.test_dl.dataset)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--size", type=int, default=20)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--seed", type=int, default=0)
    runner = Runner(p.parse_args())
    print(f"{len(runner.train_dl.dataset)} images of {runner.args.size} x {runner.args.size}")
    runner.fit()
    print(f"test accuracy {runner.test():.3f}")
