from pathlib import Path

import pandas as pd
import torch
from torch import nn

INPUTS = ["temp", "wind", "pm10", "humidity"]


def load(path):
    table = pd.read_csv(path)
    train = table.iloc[:800]
    filled = table[INPUTS].fillna(train[INPUTS].median())
    x = (filled - filled.iloc[:800].mean()) / filled.iloc[:800].std()
    y = (table["ozone"] - train["ozone"].mean()) / train["ozone"].std()
    as_tensor = lambda t: torch.tensor(t.to_numpy(), dtype=torch.float32)
    return as_tensor(x), as_tensor(y)


torch.manual_seed(2)
x, y = load(Path(__file__).with_name("air.csv"))
net = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 31):
    for rows in torch.randperm(800).split(40):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    error = nn.functional.mse_loss(net(x[800:]), y[800:]).item()
print(f"held-out error (share of the variance) {error:.4f}")
