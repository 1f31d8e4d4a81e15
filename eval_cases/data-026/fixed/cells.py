import json
from pathlib import Path

import numpy as np
import torch
from loader import CellStream
from torch import nn


def traces(n, rng):
    x = rng.normal(0, 1, (n, 8)).astype("float32")
    y = (np.maximum(x[:, :4], 0).sum(1) - x[:, 4:].mean(1)).astype("float32")
    return x, y


def main():
    conf = json.load(open(Path(__file__).with_name("cells.json")))
    torch.manual_seed(conf["seed"])
    rng = np.random.default_rng(conf["seed"])
    x, y = traces(600, rng)
    xt, yt = (torch.from_numpy(a) for a in traces(300, rng))
    stream = CellStream(x, y, conf["augment"], conf["seed"])
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
    opt = torch.optim.Adam(net.parameters(), lr=conf["rate"])
    for epoch in range(1, conf["epochs"] + 1):
        losses = []
        for bx, by in stream.batches(conf["batch"]):
            loss = nn.functional.mse_loss(net(torch.from_numpy(bx)), torch.from_numpy(by))
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 4 == 0:
            with torch.no_grad():
                print(f"epoch {epoch} loss {np.mean(losses):.3f} test mse {nn.functional.mse_loss(net(xt), yt).item():.3f}")


main()
