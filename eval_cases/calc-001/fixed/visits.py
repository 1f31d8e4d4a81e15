import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


def make_patients(n, rng, longest=12, width=6):
    length = rng.integers(3, longest + 1, n)
    visits = rng.normal(size=(n, longest, width))
    here = np.arange(longest) < length[:, None]
    visits[~here] = 0
    key = rng.integers(0, length)
    visits[..., 0] = np.where(here, rng.normal(-1, 0.4, here.shape), 0)
    visits[np.arange(n), key, 0] = 1.5
    risk = visits[np.arange(n), key, 1] + visits[np.arange(n), key, 2] > 0
    return (torch.tensor(visits, dtype=torch.float32), torch.from_numpy(here), torch.tensor(risk, dtype=torch.float32))


class Pool(nn.Module):
    def __init__(self, width, hidden=24):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(width, hidden), nn.GELU())
        self.score = nn.Linear(hidden, 1)
        self.out = nn.Linear(hidden, 1)

    def forward(self, visits, here):
        h = self.encode(visits)
        weight = self.score(h).squeeze(-1).masked_fill(~here, float("-inf")).softmax(1)
        return self.out((weight.unsqueeze(-1) * h).sum(1)).squeeze(1), weight


def spread_of(weight):
    return -(weight * weight.clamp_min(1e-9).log()).sum(1).mean()


def objective(model, batch, focus):
    visits, here, risk = batch
    logit, weight = model(visits, here)
    fit = F.binary_cross_entropy_with_logits(logit, risk)
    return fit + focus * spread_of(weight), ((logit > 0) == (risk > 0.5)).float().mean()


def train(model, data, epochs=15, size=50, focus=0.02):
    opt = torch.optim.Adam(model.parameters(), lr=8e-3)
    for epoch in range(1, epochs + 1):
        total = 0.0
        for rows in torch.randperm(len(data[0])).split(size):
            loss, _ = objective(model, [part[rows] for part in data], focus)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch:2d}  loss {total / len(data[0]):.4f}")


if __name__ == "__main__":
    rng = np.random.default_rng(5)
    torch.manual_seed(5)
    data, test = make_patients(1200, rng), make_patients(400, rng)
    model = Pool(data[0].shape[-1])
    train(model, data)
    with torch.no_grad():
        loss, hit = objective(model, test, 0.0)
    print(f"test loss {loss:.4f}  right {hit:.3f}")
