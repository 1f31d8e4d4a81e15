"""Puts a new head on a trained backbone: inside or outside of a tilted square."""
import json
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

HERE = Path(__file__).resolve().parent


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(2, 32)
        self.body = nn.Linear(32, 32)
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        return self.head(torch.tanh(self.body(torch.tanh(self.stem(x)))))


def points(n, generator):
    x = torch.rand(n, 2, generator=generator) * 4 - 2
    return x, (x.abs().sum(1) < 1.4).long()


def load(conf):
    net = Net()
    known = torch.load(HERE / conf["backbone"], weights_only=True)
    report = net.load_state_dict(known, strict=False)
    print("new parts:", ", ".join(report.missing_keys))
    for name in conf["freeze"]:
        getattr(net, name).requires_grad_(False)
    return net


def main():
    conf = json.loads((HERE / "finetune.json").read_text())
    generator = torch.Generator().manual_seed(conf["seed"])
    torch.manual_seed(conf["seed"])
    x, y = points(800, generator)
    x_test, y_test = points(300, generator)
    net = load(conf)
    optimizer = torch.optim.SGD(net.parameters(), lr=conf["lr"], momentum=conf["momentum"])
    for epoch in range(conf["epochs"]):
        for rows in torch.randperm(len(x)).split(40):
            loss = F.cross_entropy(net(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch}: {loss.item():.3f}")
    with torch.no_grad():
        print(f"test accuracy {(net(x_test).argmax(1) == y_test).float().mean():.3f}")


if __name__ == "__main__":
    main()
