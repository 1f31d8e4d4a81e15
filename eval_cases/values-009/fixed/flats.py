import sys
import tomllib

import torch
from torch import nn


class Flats:
    def __init__(self, n, g):
        area = 30 + 110 * torch.rand(n, generator=g)
        floor = torch.randint(0, 8, (n,), generator=g).float()
        centre = 12 * torch.rand(n, generator=g)
        self.x = torch.stack([(area - 85) / 32, (floor - 3.5) / 2.3, (centre - 6) / 3.5], 1)
        self.price = 4200 * area * torch.exp(-0.06 * centre) * (1 + 0.01 * floor) * (1 + 0.03 * torch.randn(n, generator=g))


def train(net, data, unit, conf):
    opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    target = data.price / unit
    for epoch in range(1, conf["epochs"] + 1):
        for rows in torch.randperm(len(target)).split(conf["batch"]):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(data.x[rows]).squeeze(1), target[rows])
            loss.backward()
            opt.step()
        if epoch % 10 == 0:
            print(f"epoch {epoch} loss {loss.item():.5g}")


with open(sys.argv[1], "rb") as fh:
    conf = tomllib.load(fh)
torch.manual_seed(conf["seed"])
g = torch.Generator().manual_seed(conf["seed"])
data, test = Flats(1000, g), Flats(300, g)
net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1))
train(net, data, conf["price"]["unit"], conf["training"])
with torch.no_grad():
    guess = net(test.x).squeeze(1) * conf["price"]["unit"]
print(f"mean error {100 * ((guess - test.price).abs() / test.price).mean().item():.2f} percent")
