import argparse
import tomllib
from pathlib import Path

import torch

from net import make_net

ap = argparse.ArgumentParser()
ap.add_argument("--conf", default=Path(__file__).with_name("beacon.toml"))
conf = tomllib.loads(Path(ap.parse_args().conf).read_text())


def beacons(n, g):
    """Log signal strengths at six receivers of a beacon in a room."""
    mast = torch.tensor([[0, 0, 0], [4, 0, 2], [0, 5, 2], [4, 5, 0], [2, 0, 3], [2, 5, 3.0]])
    pos = torch.rand(n, 3, generator=g) * torch.tensor([4, 5, 3.0])
    strength = torch.log((pos[:, None] - mast).pow(2).sum(2) + 0.5)
    return strength - 2, (pos - torch.tensor([2, 2.5, 1.5]))


def objective(guess, pos):
    return (guess - pos).pow(2).sum(1).mean()


torch.manual_seed(conf["seed"])
g = torch.Generator().manual_seed(50)
x, pos = beacons(1200, g)
xt, post = beacons(300, g)
net = make_net(x.shape[1], conf["net"])
opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
for epoch in range(1, conf["epochs"] + 1):
    for rows in torch.randperm(len(x)).split(40):
        opt.zero_grad()
        loss = objective(net(x[rows]), pos[rows])
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"mean distance to the true position {(net(xt) - post).norm(dim=1).mean().item():.3f} m")
