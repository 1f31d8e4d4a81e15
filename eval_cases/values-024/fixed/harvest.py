from pathlib import Path

import pandas as pd
import torch
from torch import nn

table = pd.read_csv(Path(__file__).with_name("garden.csv"))
kinds = pd.get_dummies(table["pest"], prefix="pest", dtype=float)
numbers = table[["rain", "sun"]]
cut = 900
numbers = (numbers - numbers[:cut].mean()) / numbers[:cut].std()
x = torch.tensor(pd.concat([kinds, numbers], axis=1).to_numpy(), dtype=torch.float32)
y = torch.tensor(table["harvest"].to_numpy(), dtype=torch.float32)
y = (y - y[:cut].mean()) / y[:cut].std()

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(x.shape[1], 24), nn.ReLU(), nn.Linear(24, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(1, 21):
    for rows in torch.randperm(cut).split(45):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x[cut:]), y[cut:]).item():.4f}")
