import json
from pathlib import Path

import torch
from torch import nn

arch = json.loads(Path(__file__).with_name("arch.json").read_text())
torch.manual_seed(arch["seed"])
parts = []
for a, b in zip(arch["widths"], arch["widths"][1:]):
    parts += [nn.Linear(a, b), getattr(nn, arch["activation"])()]
net = nn.Sequential(*parts[:-1])
x = torch.randn(1000, 6)
worn = (x[:, 0] ** 2 + x[:, 1] > 0.8).long()
opt = torch.optim.SGD(net.parameters(), lr=arch["lr"], momentum=arch["momentum"])
for epoch in range(1, arch["epochs"] + 1):
    for rows in torch.randperm(800).split(40):
        loss = nn.functional.cross_entropy(net(x[rows]), worn[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {(net(x[800:]).argmax(1) == worn[800:]).float().mean().item():.3f}")
