"""Hourly bike rentals from weather and calendar features."""
import math

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(11)
torch.manual_seed(11)

# --- one synthetic year of hours -------------------------------------------
n = 3000
hour = rng.integers(0, 24, n)
day = rng.integers(0, 365, n)
weekend = rng.random(n) < 2 / 7
temp = 12 - 10 * np.cos(2 * math.pi * day / 365) + rng.normal(0, 3, n)
rain = rng.exponential(0.4, n) * (rng.random(n) < 0.3)
commute = np.exp(-((hour - 8) ** 2) / 4) + np.exp(-((hour - 18) ** 2) / 6)
leisure = np.exp(-((hour - 14) ** 2) / 18)
rentals = 40 + 6 * temp + 260 * np.where(weekend, leisure, commute) - 60 * rain
rentals = np.maximum(rentals + rng.normal(0, 15, n), 0)

X = np.column_stack([
    np.sin(2 * math.pi * hour / 24), np.cos(2 * math.pi * hour / 24),
    np.sin(4 * math.pi * hour / 24), np.cos(4 * math.pi * hour / 24),
    weekend.astype(float), temp, rain,
])
cut = int(0.8 * n)
mu, sd = X[:cut].mean(0), X[:cut].std(0)
X = torch.tensor((X - mu) / sd, dtype=torch.float32)
y_mu, y_sd = rentals[:cut].mean(), rentals[:cut].std()
y = torch.tensor((rentals - y_mu) / y_sd, dtype=torch.float32).unsqueeze(1)
Xtr, ytr, Xte, yte = X[:cut], y[:cut], X[cut:], y[cut:]

# --- model ------------------------------------------------------------------
net = nn.Sequential(nn.Linear(7, 48), nn.Tanh(), nn.Linear(48, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.02)
mse = nn.MSELoss()
bs = 100

for epoch in range(1, 31):
    order = torch.randperm(cut)
    running = 0.0
    for start in range(0, cut, bs):
        rows = order[start:start + bs]
        loss = mse(net(Xtr[rows]), ytr[rows])
        loss.backward()
        opt.step()
        running += loss.item() * len(rows)
    if epoch % 6 == 0:
        print(f"epoch {epoch:2d}  train mse {running / cut:.4f}")

with torch.no_grad():
    err = (net(Xte) - yte).pow(2).mean().sqrt().item() * y_sd
print(f"test rmse: {err:.1f} rentals/hour (std of target {y_sd:.1f})")
