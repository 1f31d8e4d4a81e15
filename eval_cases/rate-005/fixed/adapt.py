"""Adapts the digit reader of the old scanner to images of the new one."""
import copy
import os

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn

LR = 1e-4
STEPS = 500
FOLDER = os.path.dirname(os.path.abspath(__file__))


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(64, 96)
        self.b = nn.Linear(96, 96)
        self.c = nn.Linear(96, 10)

    def forward(self, x):
        return self.c(F.relu(self.b(F.relu(self.a(x)))))


def new_scanner(images):
    """Fades the images a bit and adds a shadow along the left side."""
    shade = torch.linspace(0.75, 0.0, 8).repeat(8, 1)
    return (0.7 * images + shade).clamp(0, 1.2)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(14)
    raw = load_digits()
    images = torch.tensor(raw.images, dtype=torch.float32) / 16
    y = torch.tensor(raw.target)
    order = torch.randperm(len(y), generator=torch.Generator().manual_seed(99))
    x = new_scanner(images).flatten(1) - 0.3
    old = images.flatten(1) - 0.3
    tune, test = order[900:1400], order[1400:]

    net = Reader()
    net.load_state_dict(torch.load(os.path.join(FOLDER, "reader.pt"), weights_only=True))
    start = copy.deepcopy(net.state_dict())
    print(f"old scanner {accuracy(net, old[test], y[test]):.3f}, new scanner before {accuracy(net, x[test], y[test]):.3f}")

    opt = torch.optim.Adam(net.parameters(), lr=LR)
    for step in range(1, STEPS + 1):
        rows = tune[torch.randint(0, len(tune), (32,))]
        net.train()
        loss = F.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 125 == 0:
            print(f"step {step}: loss {loss.item():.4f}")

    moved = max((p - start[k]).abs().max().item() for k, p in net.state_dict().items())
    print(f"largest change of a weight {moved:.4f}")
    print(f"new scanner after {accuracy(net, x[test], y[test]):.3f}")


if __name__ == "__main__":
    main()
