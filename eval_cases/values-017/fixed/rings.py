import tomllib
from pathlib import Path

import torch
from torch import nn

SPEC = tomllib.loads(Path(__file__).with_name("rings.toml").read_text())


def mlp(width, depth, activation):
    layers = [nn.Linear(2, width), getattr(nn, activation)()]
    for _ in range(depth - 2):
        layers += [nn.Linear(width, width), getattr(nn, activation)()]
    return nn.Sequential(*layers, nn.Linear(width, 2))


def rings(n):
    ring = torch.randint(0, 2, (n,))
    r = 1.0 + 1.0 * ring + 0.15 * torch.randn(n)
    a = torch.rand(n) * 6.28319
    return torch.stack([r * a.cos(), r * a.sin()], 1), ring


torch.manual_seed(SPEC["seed"])
x, y = rings(1000)
xt, yt = rings(400)
net = mlp(**SPEC["net"])
opt = torch.optim.Adam(net.parameters(), lr=SPEC["lr"])
for epoch in range(SPEC["epochs"]):
    for rows in torch.randperm(1000).split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")
