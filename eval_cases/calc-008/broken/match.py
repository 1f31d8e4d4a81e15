import csv

import numpy as np
import torch
from torch import nn


class Pairs:
    def __init__(self, plants_file, pairs_file):
        self.leaves = torch.from_numpy(np.load(plants_file)["leaves"])
        with open(pairs_file, newline="") as f:
            rows = [(int(r["first"]), int(r["second"]), float(r["same"])) for r in csv.DictReader(f)]
        self.first, self.second = (torch.tensor([r[k] for r in rows]) for k in (0, 1))
        self.same = torch.tensor([r[2] for r in rows])

    def batches(self, start, stop, size):
        for rows in (start + torch.randperm(stop - start)).split(size):
            yield self.leaves[self.first[rows]], self.leaves[self.second[rows]], self.same[rows]

    def __len__(self):
        return len(self.same)


class Twin(nn.Module):
    def __init__(self, n_in, code):
        super().__init__()
        self.tower = nn.Sequential(nn.Linear(n_in, 48), nn.LeakyReLU(0.1), nn.Linear(48, code))

    def forward(self, a, b):
        return torch.sqrt((self.tower(a) - self.tower(b)).pow(2).sum(1))


def contrastive(distance, same, margin=2.0):
    pull = same * distance.pow(2)
    push = (1 - same) * (margin - distance).clamp(min=0).pow(2)
    return (pull + push).mean()


def main():
    torch.manual_seed(6)
    pairs = Pairs("leaves.npz", "pairs.csv")
    cut = len(pairs) - 200
    twin = Twin(pairs.leaves.shape[1], 6)
    optimizer = torch.optim.Adam(twin.parameters(), lr=2e-3)
    for epoch in range(12):
        history = []
        for a, b, same in pairs.batches(0, cut, 50):
            optimizer.zero_grad()
            loss = contrastive(twin(a, b), same)
            loss.backward()
            optimizer.step()
            history.append(loss.item())
        print(f"epoch {epoch:2d} mean loss {np.mean(history):.4f}")
    with torch.no_grad():
        a, b, same = next(pairs.batches(cut, len(pairs), 200))
        distance = twin(a, b)
        right = ((distance < 1.0) == (same > 0.5)).float().mean()
        print(f"new pairs: loss {contrastive(distance, same):.4f}, judged right {right:.3f}")


if __name__ == "__main__":
    main()
