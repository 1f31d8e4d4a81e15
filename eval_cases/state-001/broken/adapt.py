"""Adapts the network of one alloy to another one."""
import argparse
import json
from pathlib import Path

import torch

from melt.furnace import Furnace
from melt.network import MeltNet

ROOT = Path(__file__).parent


def adapt(conf):
    torch.manual_seed(conf["seed"])
    furnace = Furnace(conf["seed"], shift=0.4)
    net = MeltNet(**conf["encoder"])
    net.load_state_dict(torch.load(ROOT / conf["start_from"], map_location="cpu", weights_only=True))
    optimizer = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    for step in range(conf["steps"]):
        x, y = furnace.charges(conf["batch"])
        loss = torch.nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step:3d} mse {loss.item():.4f}")
    with torch.no_grad():
        x, y = furnace.charges(1000)
        print(f"mse on new charges {torch.nn.functional.mse_loss(net(x), y).item():.3f} (variance {y.var().item():.3f})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("config", nargs="?", default=ROOT / "configs" / "copper.json", type=Path)
    adapt(json.loads(parser.parse_args().config.read_text()))
