import json
from pathlib import Path

import torch
from torch import nn

conf = json.load(open(Path(__file__).with_name("opt.json")))
torch.manual_seed(18)
x = torch.randn(1000, 10)
crack = (x[:, :3].abs().sum(1) > 2.4).long()
net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 2))
opt = getattr(torch.optim, conf["name"])(net.parameters(), **conf["options"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(800).split(40):
        loss = nn.functional.cross_entropy(net(x[rows]), crack[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f} largest answer {net(x).abs().max().item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(x[800:]).argmax(1) == crack[800:]).float().mean().item():.3f}")
