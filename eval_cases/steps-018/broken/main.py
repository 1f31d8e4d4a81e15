import json
import sys
from pathlib import Path

import torch
from torch import nn

from deep import Deep, initialise


def rings(n):
    label = torch.randint(0, 3, (n,))
    radius = 0.5 + 0.7 * label + 0.12 * torch.randn(n)
    angle = 6.2832 * torch.rand(n)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1), label


def main(path):
    conf = json.loads(Path(path).read_text())
    torch.manual_seed(10)
    net = Deep(conf["width"], conf["depth"])
    initialise(net, conf["init"])
    x, y = rings(900)
    xt, yt = rings(300)
    opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    for epoch in range(1, 13):
        for idx in torch.randperm(len(x)).split(60):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x[idx]), y[idx])
            loss.backward()
            opt.step()
        if epoch % 4 == 0:
            print(f"epoch {epoch} loss {loss.item():.4f}")
    with torch.no_grad():
        print(f"accuracy {(net(xt).argmax(1) == yt).float().mean().item():.3f}")


main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "deep.json")
