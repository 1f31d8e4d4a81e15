import csv
import pathlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

with open(pathlib.Path(__file__).parent / "casts.csv") as fh:
    rows = [[float(v) for v in r.values()] for r in csv.DictReader(fh)]
data = torch.tensor(rows, dtype=torch.float64)
torch.manual_seed(3)
data = data[torch.randperm(len(data))]
cut = 850
data = ((data - data[:cut].mean(0)) / data[:cut].std(0)).float()
x, y = data[:, :3], data[:, 3:]

model = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(1, 21):
    for bx, by in DataLoader(TensorDataset(x[:cut], y[:cut]), 50, shuffle=True):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(bx), by)
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.5f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(model(x[cut:]), y[cut:]).item():.5f}")
