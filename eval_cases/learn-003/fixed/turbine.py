import json
from pathlib import Path

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, skip):
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.skip = skip

    def forward(self, h):
        new = torch.tanh(self.lin(h))
        return h + 0.3 * new if self.skip else new


class Tower(nn.Module):
    def __init__(self, depth, width, skip):
        super().__init__()
        self.enter = nn.Linear(6, width)
        self.blocks = nn.Sequential(*[Block(width, skip) for _ in range(depth)])
        self.leave = nn.Linear(width, 1)

    def forward(self, x):
        return self.leave(self.blocks(self.enter(x))).squeeze(1)


conf = json.loads(Path(__file__).with_name("net.json").read_text())
torch.manual_seed(conf["seed"])
x = torch.randn(1000, 6)
y = (x[:, 0] * x[:, 1] + x[:, 2] > 0).float()
net = Tower(conf["depth"], conf["width"], conf["skip"])
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(800).split(50):
        opt.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}")
with torch.no_grad():
    print(f"test accuracy {((net(x[800:]) > 0).float() == y[800:]).float().mean().item():.3f}")
