import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

NAMES = ["good", "scratch", "void"]


class Boards:
    def __init__(self, counts):
        self.y = torch.cat([torch.full((n,), k) for k, n in enumerate(counts)])
        centre = torch.tensor([[0.0, 0, 0, 0], [1.1, 0, 0.8, 0], [0, 1.1, 0, -0.8]])
        self.x = centre[self.y] + torch.randn(len(self.y), 4)

    def loader(self, size):
        return DataLoader(TensorDataset(self.x, self.y), size, shuffle=True)


def main(epochs, size):
    torch.manual_seed(12)
    train, test = Boards([2800, 60, 60]), Boards([300, 300, 300])
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(1, epochs + 1):
        for x, y in train.loader(size):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
        print(f"epoch {epoch} loss {loss.item():.3f}")
    with torch.no_grad():
        guess = model(test.x).argmax(1)
    for k, name in enumerate(NAMES):
        print(f"{name}: answered {int((guess == k).sum())} of {int((test.y == k).sum())}")
    print(f"mean accuracy per class {(guess == test.y).float().mean().item():.3f}")


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--epochs", type=int, default=6)
    cli.add_argument("--size", type=int, default=64)
    main(**vars(cli.parse_args()))
