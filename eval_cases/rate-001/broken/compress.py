"""Squeezes 8x8 digits into a few numbers and back."""
import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn


class Squeeze(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 40), nn.ReLU(), nn.Linear(40, code))
        self.dec = nn.Sequential(nn.Linear(code, 40), nn.ReLU(), nn.Linear(40, 64))

    def forward(self, x):
        return self.dec(self.enc(x))


def pixel_error(out, x):
    return (out - x).pow(2).sum(dim=1).mean()


def batches(x, size, g):
    for part in torch.randperm(len(x), generator=g).split(size):
        yield x[part]


def get_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--code", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--lr", type=float, default=0.8)
    parser.add_argument("--momentum", type=float, default=0.0)
    return parser.parse_args()


def main():
    args = get_args()
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(6)
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    x = x[torch.randperm(len(x), generator=g)]
    x = x - x[:1500].mean(dim=0)
    train, held = x[:1500], x[1500:]

    model = Squeeze(args.code)
    sgd = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)
    print(f"error of the mean image {pixel_error(torch.zeros_like(held), held).item():.3f}")
    for epoch in range(1, args.epochs + 1):
        model.train()
        for xb in batches(train, args.batch_size, g):
            loss = pixel_error(model(xb), xb)
            sgd.zero_grad()
            loss.backward()
            sgd.step()
        if epoch == 1 or epoch % 5 == 0:
            print(f"epoch {epoch:3d}  train error {loss.item():.3f}")
    model.eval()
    with torch.no_grad():
        print(f"held-out error {pixel_error(model(held), held).item():.3f}")


if __name__ == "__main__":
    main()
