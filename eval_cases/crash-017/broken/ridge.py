import json
from pathlib import Path

import torch
from torch import nn
from sklearn.datasets import load_diabetes

HERE = Path(__file__).parent
plan = json.loads((HERE / "plan.json").read_text())
torch.manual_seed(plan["seed"])
bunch = load_diabetes()
x = torch.tensor(bunch.data, dtype=torch.float32) * 20
y = torch.tensor(bunch.target, dtype=torch.float32).unsqueeze(1)
y = (y - y.mean()) / y.std()
net = nn.Sequential(nn.Linear(10, plan["net"]["width"]), nn.ReLU(), nn.Linear(plan["net"]["width"], 1))
optimizer = torch.optim.Adam(net.parameters(), lr=plan["rate"], weight_decay=plan["decay"])
for epoch in range(plan["epochs"]):
    for rows in torch.randperm(380).split(38):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
with torch.no_grad():
    print(f"held-out error {nn.functional.mse_loss(net(x[380:]), y[380:]).item():.3f}")
