import argparse
from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader

from stream import Signals


def scale(wave, centre, spread):
    return (wave - centre) / spread


def make_loaders(args):
    centre, spread = 3.0, 2.0
    to_unit = lambda wave: scale(wave, centre, spread)
    options = dict(num_workers=args.workers, multiprocessing_context="spawn", persistent_workers=True) if args.workers else {}
    train = DataLoader(Signals(400, 1, to_unit), batch_size=20, shuffle=True, **options)
    test = DataLoader(Signals(100, 2, to_unit), batch_size=50)
    return train, test


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(25)
    train, test = make_loaders(args)
    net = nn.Sequential(nn.Linear(32, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 3))
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        for wave, kind in train:
            loss = nn.functional.cross_entropy(net(wave), kind)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.3f}")
    with torch.no_grad():
        hits = sum((net(wave).argmax(1) == kind).sum().item() for wave, kind in test)
    print(f"waves named right: {hits} of 100")


if __name__ == "__main__":
    main()
