import pathlib
import tomllib

import torch
from torch import nn

plan = tomllib.loads(pathlib.Path(__file__).with_name("plan.toml").read_text())
torch.manual_seed(plan["seed"])


def wards(n):
    x = torch.randn(n, 15)
    risk = 1.5 * x[:, 0] - 1.2 * x[:, 1] + x[:, 2]
    return x, (torch.rand(n) < torch.sigmoid(1.5 * risk)).float()


x, y = wards(160)
xv, yv = wards(600)
width, regular = plan["model"]["width"], plan["regular"]
net = nn.Sequential(nn.Linear(15, width), nn.ReLU(), nn.Linear(width, 1), nn.Flatten(0))
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=regular["weight_decay"])
bce = nn.BCEWithLogitsLoss()
for epoch in range(1, plan["epochs"] + 1):
    for rows in torch.randperm(160).split(32):
        jitter = regular["noise"] * torch.randn(len(rows), 15)
        loss = bce(net(x[rows] + jitter), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 15 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} train {bce(net(x), y).item():.3f} validation {bce(net(xv), yv).item():.3f}")
