import json
import os

import torch
from torch import nn

ACT = {"relu": nn.ReLU, "tanh": nn.Tanh, "none": nn.Identity}
HERE = os.path.dirname(os.path.abspath(__file__))


class MLP(nn.Module):
    def __init__(self, sizes, hidden, output):
        super().__init__()
        parts = []
        for a, b in zip(sizes[:-2], sizes[1:-1]):
            parts += [nn.Linear(a, b), ACT[hidden]()]
        parts += [nn.Linear(sizes[-2], sizes[-1]), ACT[output]()]
        self.stack = nn.Sequential(*parts)

    def forward(self, x):
        return self.stack(x)


def stations(n):
    x = torch.randn(n, 5)
    return x, (x[:, :1] - x[:, 1:2] * x[:, 2:3] + 0.5 * torch.sin(2 * x[:, 3:4])) / 1.5


conf = json.load(open(os.path.join(HERE, "model.json")))
torch.manual_seed(conf["seed"])
x, y = stations(1200)
xt, yt = stations(300)
net = MLP(**conf["net"])
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, 21):
    for rows in torch.randperm(len(x)).split(48):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 5 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(xt), yt).item():.4f}")
