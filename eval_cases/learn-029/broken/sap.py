import json
from pathlib import Path

import torch
from torch import nn

conf = json.load(open(Path(__file__).with_name("train.json")))
torch.manual_seed(conf["seed"])


class Sap(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(6, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, x):
        return self.f(x)[:, 0]


def trees(n):
    x = torch.randn(n, 6)
    return x, torch.sin(1.5 * x[:, 0]) * x[:, 1] + 0.7 * x[:, 2] + 0.3 * x[:, 3] * x[:, 4]


(x, y), (xt, yt) = trees(1000), trees(400)
net = Sap()
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    total = 0.0
    for rows in torch.randperm(1000).split(conf["batch"]):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(rows) / 1000
    with torch.no_grad():
        print(f"epoch {epoch} loss {total:.3f} test r2 {1 - (nn.functional.mse_loss(net(xt), yt) / yt.var()).item():.3f}")
