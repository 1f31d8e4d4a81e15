import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn


def table(path):
    rows = torch.from_numpy(np.loadtxt(path, delimiter=",", skiprows=1, dtype="float32"))
    return rows[:, :-1], rows[:, -1:]


cli = argparse.ArgumentParser()
cli.add_argument("--width", type=int, default=48)
cli.add_argument("--updates", type=int, default=900)
args = cli.parse_args()
torch.manual_seed(0)
x, y = table(Path(__file__).with_name("train.csv"))
xv, yv = table(Path(__file__).with_name("valid.csv"))
net = nn.Sequential(nn.Linear(8, args.width), nn.SiLU(), nn.Linear(args.width, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for k in range(1, args.updates + 1):
    rows = torch.randint(len(x), (32,))
    loss = nn.functional.mse_loss(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if k % 150 == 0:
        with torch.no_grad():
            print(f"update {k} train {nn.functional.mse_loss(net(x), y).item():.4f} valid {nn.functional.mse_loss(net(xv), yv).item():.4f}")
