import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


def make_hours(n, rng):
    hour = rng.integers(0, 24, n)
    temp = rng.normal(12, 8, n)
    rain = rng.random(n) < 0.2
    weekend = rng.random(n) < 2 / 7
    level = 0.4 + 1.3 * np.exp(-((hour - 17) / 4.0) ** 2) + 0.9 * np.exp(-((hour - 8) / 2.0) ** 2) * ~weekend
    mean = np.exp(level + 0.04 * (temp - 12) - 0.9 * rain)
    x = np.stack([np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12), np.sin(hour * np.pi / 6),
                  np.cos(hour * np.pi / 6), (temp - 12) / 8, rain, weekend], 1)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(rng.poisson(mean), dtype=torch.float32)


class Demand(nn.Module):
    def __init__(self, n_in, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.head = nn.Linear(width, 1)
        nn.init.constant_(self.head.bias, 3.0)

    def forward(self, x):
        return F.softplus(self.head(self.body(x)).squeeze(1))


def deviance(rate, count):
    return (rate - count * torch.log(rate)).mean()


def train(model, x, y, epochs=12, batch=64):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.randperm(len(x)).split(batch):
            loss = deviance(model(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch:2d}  loss {total / len(x):.4f}")


if __name__ == "__main__":
    rng = np.random.default_rng(5)
    torch.manual_seed(5)
    x, y = make_hours(2000, rng)
    x_test, y_test = make_hours(500, rng)
    model = Demand(x.shape[1])
    train(model, x, y)
    with torch.no_grad():
        rate = model(x_test)
    print(f"test loss {deviance(rate, y_test):.4f}  mean error {(rate - y_test).abs().mean():.3f}"
          f"  (always the mean: {(y.mean() - y_test).abs().mean():.3f})")
