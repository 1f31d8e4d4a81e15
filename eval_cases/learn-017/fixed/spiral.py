import json
from pathlib import Path

import torch
from torch import nn

with open(Path(__file__).with_name("model.json")) as fh:
    conf = json.load(fh)


def arms(n, g):
    arm = torch.randint(0, 3, (n,), generator=g)
    r = torch.rand(n, generator=g)
    angle = 3 * r + arm * 2.094 + 0.15 * torch.randn(n, generator=g)
    return torch.stack([r * angle.cos(), r * angle.sin()], 1) * 3, arm


g = torch.Generator().manual_seed(conf["seed"])
torch.manual_seed(conf["seed"])
x, arm = arms(900, g)
xt, arm_t = arms(300, g)
parts, width = [], 2
for _ in range(conf["layers"]):
    parts += [nn.Linear(width, conf["hidden"]), nn.Tanh()]
    width = conf["hidden"]
net = nn.Sequential(*parts, nn.Linear(width, 3))
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(900).split(45):
        loss = nn.functional.cross_entropy(net(x[rows]), arm[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        with torch.no_grad():
            print(f"epoch {epoch} loss {loss.item():.3f} train {(net(x).argmax(1) == arm).float().mean().item():.3f} test {(net(xt).argmax(1) == arm_t).float().mean().item():.3f}")
