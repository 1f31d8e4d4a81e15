import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def parse():
    cli = argparse.ArgumentParser()
    cli.add_argument("--epochs", type=int, default=20)
    cli.add_argument("--lr", type=float, default=0.1)
    return cli.parse_args()


def main(args):
    torch.manual_seed(3)
    bunch = load_digits()
    x, y = torch.tensor(bunch.data).float() / 16, torch.tensor(bunch.target)
    order = torch.randperm(len(y))
    fit, rest = order[:1300], order[1300:]
    net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    opt = torch.optim.SGD(net.parameters(), lr=args.lr)
    loader = DataLoader(TensorDataset(x[fit], y[fit]), 50, shuffle=True)
    for epoch in range(args.epochs):
        mean = 0.0
        for bx, by in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(bx), by)
            loss.backward()
            opt.step()
            mean += loss.item() / len(loader)
        with torch.no_grad():
            print(f"epoch {epoch + 1}/{args.epochs} loss {mean:.3f} test accuracy {(net(x[rest]).argmax(1) == y[rest]).float().mean().item():.3f}")


if __name__ == "__main__":
    main(parse())
