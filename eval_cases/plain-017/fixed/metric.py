# Metric learning: batch-hard triplet loss on an (N, N) distance matrix, class-balanced sampler.
import random

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset, Sampler


class Digits(Dataset):
    def __init__(self, train):
        d = load_digits()
        s = slice(0, 1300) if train else slice(1300, None)
        self.x, self.y = torch.tensor(d.data[s] / 16, dtype=torch.float32), torch.tensor(d.target[s])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return {"x": self.x[i], "y": int(self.y[i])}


class PK(Sampler):
    """P classes with K examples each"""

    def __init__(self, y, P, K, batches):
        self.by = {c: (y == c).nonzero().flatten().tolist() for c in range(10)}
        self.P, self.K, self.n = P, K, batches

    def __len__(self):
        return self.n

    def __iter__(self):
        for _ in range(self.n):
            yield [i for c in random.sample(range(10), self.P) for i in random.sample(self.by[c], self.K)]


def collate(items):
    return torch.stack([i["x"] for i in items]), torch.tensor([i["y"] for i in items])


def batch_hard(z, y, margin=0.3):
    d = (z[:, None] - z[None]).square().sum(-1).add(1e-9).sqrt()      # (N, N), on purpose
    same = y[:, None] == y[None]
    pos = (d * same).max(1).values
    neg = d.masked_fill(same, float("inf")).min(1).values
    return F.softplus((pos - neg + margin) * 5).mean() / 5


def knn(net, a, b):
    with torch.no_grad():
        za, zb = F.normalize(net(a.x), dim=1), F.normalize(net(b.x), dim=1)
    return (a.y[torch.cdist(zb, za).argmin(1)] == b.y).float().mean().item()


random.seed(0); torch.manual_seed(0)
tr, te = Digits(True), Digits(False)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
opt = torch.optim.Adam(net.parameters(), 2e-3)
dl = DataLoader(tr, batch_sampler=PK(tr.y, 8, 5, 60), collate_fn=collate)
print("knn before", knn(net, tr, te))
for ep in range(5):
    run = 0
    for x, y in dl:
        loss = batch_hard(F.normalize(net(x), dim=1), y)
        opt.zero_grad(); loss.backward(); opt.step()
        run += loss.item() / len(dl)
    print("epoch", ep, "loss", round(run, 4), "knn", round(knn(net, tr, te), 4))
