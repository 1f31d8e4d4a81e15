import argparse
import pathlib

import numpy as np
import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--data", default=pathlib.Path(__file__).with_name("knocks.npz"))
ap.add_argument("--epochs", type=int, default=40)


def features(samples):
    """Log of the mean energy in four windows."""
    windows = samples.reshape(len(samples), 4, -1)
    energy = (windows * windows).mean(axis=2)
    return np.log(np.abs(energy) + 1.0)


def main(args):
    torch.manual_seed(7)
    with np.load(args.data) as z:
        x, y = features(z["samples"]), torch.from_numpy(z["machine"])
    cut = 270
    x = (x - x[:cut].mean(0)) / x[:cut].std(0)
    x = torch.tensor(x, dtype=torch.float32)
    net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
    opt = torch.optim.Adam(net.parameters(), lr=0.01)
    for epoch in range(1, args.epochs + 1):
        for rows in torch.randperm(cut).split(30):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
            loss.backward()
            opt.step()
        if epoch % 10 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        print(f"test accuracy {(net(x[cut:]).argmax(1) == y[cut:]).float().mean().item():.3f}")


main(ap.parse_args())
