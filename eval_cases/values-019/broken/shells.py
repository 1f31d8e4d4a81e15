import json
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F


class Task:
    def __init__(self, kind, classes):
        self.outputs = {"classification": classes, "regression": 1}[kind]
        self.kind = kind

    def loss(self, out, y):
        if self.kind == "classification":
            return F.cross_entropy(out, y)
        return F.mse_loss(out.squeeze(1), y.float())

    def decide(self, out):
        return out.argmax(1) if self.kind == "classification" else out.squeeze(1).round().long()


def shells(n, classes, seed):
    g = torch.Generator().manual_seed(seed)
    proto = torch.randn(classes, 12, generator=torch.Generator().manual_seed(500))
    y = torch.randint(0, classes, (n,), generator=g)
    return proto[y] + 0.8 * torch.randn(n, 12, generator=g), y


conf = json.loads((Path(__file__).parent / "task.json").read_text())
torch.manual_seed(conf["seed"])
task = Task(conf["task"], conf["classes"])
x, y = shells(1200, conf["classes"], 1)
xt, yt = shells(400, conf["classes"], 2)
net = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, task.outputs))
opt = torch.optim.AdamW(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(len(x)).split(60):
        opt.zero_grad()
        loss = task.loss(net(x[rows]), y[rows])
        loss.backward()
        opt.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test accuracy {(task.decide(net(xt)) == yt).float().mean().item():.3f}")
