import os

import numpy as np
import torch
from torch import nn


def batches(x, y, size, shuffle):
    """Neighbouring rows, in a new order of the blocks at each call."""
    starts = torch.arange(0, len(x), size)
    if shuffle:
        starts = starts[torch.randperm(len(starts))]
    for s in starts.tolist():
        yield x[s:s + size], y[s:s + size]


class Flat(nn.Module):
    def forward(self, x):
        return x.view(x.shape[0], -1)


def run(path, epochs=12, size=20, held=60):
    torch.manual_seed(15)
    archive = np.load(path)
    x, y = torch.from_numpy(archive["spectra"]), torch.from_numpy(archive["mineral"])
    net = nn.Sequential(Flat(), nn.Linear(4 * 12, 24), nn.ReLU(), nn.Linear(24, 3))
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        total = 0.0
        for xb, yb in batches(x[held:], y[held:], size, shuffle=True):
            loss = criterion(net(xb), yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch:2d} loss {total / ((len(x) - held) / size):.4f}")
    with torch.no_grad():
        right = sum((net(xb).argmax(1) == yb).sum().item() for xb, yb in batches(x[:held], y[:held], size, False))
    print(f"minerals named right: {right}/{held}")


if __name__ == "__main__":
    run(os.path.join(os.path.dirname(__file__), "spectra.npz"))
