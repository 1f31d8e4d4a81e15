import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn

ROOT = Path(__file__).parent


def dataset(conf):
    folder = ROOT / conf["folder"]
    x = torch.as_tensor(np.load(folder / "x.npy").astype("float32"))
    y = torch.as_tensor(np.load(folder / "y.npy"))
    k = conf["holdout"]
    return (x[k:], y[k:]), (x[:k], y[:k])


def perceptron(n_in, widths, n_out):
    net = nn.Sequential()
    for i, width in enumerate(widths):
        net.add_module(f"dense{i}", nn.Linear(n_in, width))
        net.add_module(f"act{i}", nn.SiLU())
        n_in = width
    net.add_module("out", nn.Linear(n_in, n_out))
    return net


def train(net, x, y, conf):
    optimizer = torch.optim.SGD(net.parameters(), conf["lr"], conf["momentum"])
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(conf["epochs"]):
        losses = []
        for k in torch.randperm(x.shape[0]).split(conf["batch"]):
            net.zero_grad()
            loss = loss_of(net(x[k]), y[k])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if epoch % 5 == 0:
            print(f"epoch {epoch:2d}: {np.mean(losses):.3f}")


if __name__ == "__main__":
    conf = tomllib.loads((ROOT / "run.toml").read_text())
    torch.manual_seed(conf["train"]["seed"])
    (x, y), (x_held, y_held) = dataset(conf["data"])
    net = perceptron(x.shape[1], conf["model"]["widths"], conf["model"]["species"])
    train(net, x, y, conf["train"])
    with torch.no_grad():
        hits = net(x_held).argmax(dim=1).eq(y_held).sum().item()
    print(f"{hits / len(x_held):.3f} of the held-out songs named right")
