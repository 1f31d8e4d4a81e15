import tomllib
from pathlib import Path

import torch
from torch import nn

with open(Path(__file__).with_name("net.toml"), "rb") as fh:
    conf = tomllib.load(fh)


class Moss(nn.Module):
    def __init__(self, hidden, dropout):
        super().__init__()
        self.one, self.two, self.three = nn.Linear(8, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, 4)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        h = self.drop(self.one(x).relu())
        return self.three(self.drop(self.two(h).relu()))


torch.manual_seed(conf["seed"])
x = torch.randn(1200, 8)
kind = (x[:, 0] > 0).long() * 2 + (x[:, 1] + x[:, 2] > 0).long()
net = Moss(conf["hidden"], conf["dropout"])
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    net.train()
    mean = 0
    for rows in torch.randperm(900).split(45):
        loss = nn.functional.cross_entropy(net(x[rows]), kind[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean += loss.item() / 20
    net.eval()
    if epoch % 3 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} loss {mean:.3f} test accuracy {(net(x[900:]).argmax(1) == kind[900:]).float().mean().item():.3f}")
