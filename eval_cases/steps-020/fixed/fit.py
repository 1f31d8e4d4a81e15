import argparse
import tomllib

import torch
from torch import nn


def make(spec, *first):
    """Builds what the spec names, from the lists in torch.nn and torch.optim."""
    cls = getattr(nn, spec["kind"], None) or getattr(torch.optim, spec["kind"])
    return cls(*first, *spec.get("args", []))


def soil(n):
    x = torch.randn(n, 7)
    moisture = torch.relu(x[:, 0]) * x[:, 1] + torch.sin(x[:, 2]) - 0.5 * x[:, 3]
    return x, moisture.unsqueeze(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("spec")
    with open(ap.parse_args().spec, "rb") as fh:
        spec = tomllib.load(fh)
    torch.manual_seed(spec["seed"])
    x, y = soil(1500)
    xt, yt = soil(400)
    net = nn.Sequential(*(make(layer) for layer in spec["layer"]))
    opt = make(spec["optimizer"], net.parameters())
    for epoch in range(1, spec["epochs"] + 1):
        for idx in torch.randperm(len(x)).split(50):
            opt.zero_grad()
            loss = nn.functional.mse_loss(net(x[idx]), y[idx])
            loss.backward()
            opt.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch} mse {loss.item():.4f}")
    with torch.no_grad():
        print(f"test mse {nn.functional.mse_loss(net(xt), yt).item():.4f}")


main()
