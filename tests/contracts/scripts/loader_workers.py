# ruff: noqa: NPY002 -- the legacy stream is the one that users seed
"""A classifier fed by two loader processes, with random augmentation in the workers."""

from __future__ import annotations

import random

import numpy as np
import torch
from streams import print_torch_state, seed_streams
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Blobs(Dataset):
    """Two noisy clouds; each look adds fresh noise."""

    def __init__(self) -> None:
        self.centres = torch.tensor([[1.0, 1.0], [-1.0, -1.0]])

    def __len__(self) -> int:
        return 96

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        label = index % 2
        shift = random.random() + float(np.random.rand())
        return self.centres[label] + 0.1 * torch.randn(2) + 0.01 * shift, label


def main() -> None:
    seed_streams(3)
    model = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(Blobs(), batch_size=16, shuffle=True, num_workers=2)
    for epoch in range(3):
        total = 0.0
        for inputs, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total)
    print_torch_state(model.parameters())


if __name__ == "__main__":
    main()
