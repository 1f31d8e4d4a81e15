import argparse

import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="predict the yield of a shift")
parser.add_argument("--file", default="shifts.csv")
parser.add_argument("--epochs", type=int, default=25)
parser.add_argument("--lr", type=float, default=0.01)
args = parser.parse_args()

torch.manual_seed(14)
table = pd.read_csv(args.file).sample(frac=1, random_state=0)
cut = int(0.8 * len(table))
centre, spread = table[:cut].mean(), table[:cut].std()
table = (table - centre) / spread

x = torch.tensor(table.drop(columns="yield").values, dtype=torch.float32)
y = torch.tensor(table["yield"].values, dtype=torch.float32)
loader = DataLoader(TensorDataset(x[:cut], y[:cut]), batch_size=32, shuffle=True)

model = nn.Sequential(nn.Linear(x.shape[1], 24), nn.SiLU(), nn.Linear(24, 24), nn.SiLU(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

for epoch in range(args.epochs):
    total = 0.0
    for xb, yb in loader:
        loss = nn.functional.mse_loss(model(xb).squeeze(1), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    schedule.step()
    if epoch % 5 == 0:
        print(f"{epoch:3d}  train loss {total / cut:.4f}")

with torch.no_grad():
    error = (model(x[cut:]).squeeze(1) - y[cut:]) * spread["yield"]
print(f"test loss {(error / spread['yield']).pow(2).mean():.4f}, off by {error.abs().mean():.2f} points of yield")
