from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Subset

from dataset import FORMS, Scans


def network():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3), nn.ReLU(), nn.Flatten(),
        nn.Linear(16 * 3 * 3, len(FORMS)),
    )


def main():
    torch.manual_seed(33)
    scans = Scans(Path(__file__).parent)
    train = DataLoader(Subset(scans, range(30, len(scans))), batch_size=15, shuffle=True)
    test = DataLoader(Subset(scans, range(30)), batch_size=30)
    net = network()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(8):
        for x, form in train:
            loss = F.cross_entropy(net(x), form)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        print("forms right:", sum((net(x).argmax(1) == form).sum().item() for x, form in test), "of 30")


if __name__ == "__main__":
    main()
