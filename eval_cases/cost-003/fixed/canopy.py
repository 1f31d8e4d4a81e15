import tomllib
from collections import OrderedDict
from pathlib import Path

import torch
from meter import megabytes
from torch import nn


class PatchStore:
    """Patches by place; the oldest ones leave when there are too many."""

    def __init__(self, keep):
        self.keep, self.held = keep, OrderedDict()

    def get(self, place):
        if place not in self.held:
            g = torch.Generator().manual_seed(place)
            patch = torch.randn(24, 24, generator=g)
            patch[: place % 24] += 1
            self.held[place] = patch.repeat(4, 4)
            while len(self.held) > self.keep:
                self.held.popitem(last=False)
        return self.held[place]


with open(Path(__file__).with_name("cache.toml"), "rb") as fh:
    conf = tomllib.load(fh)
torch.manual_seed(0)
store = PatchStore(conf["cache"]["keep"])
net = nn.Sequential(nn.AvgPool2d(8), nn.Flatten(), nn.Linear(144, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for step in range(1, conf["steps"] + 1):
    places = torch.randint(0, 10**7, (conf["batch"] // 4,)).tolist()
    x = torch.stack([store.get(p) for p in places])[:, None]
    y = torch.tensor([(p % 24) / 24 for p in places])
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step == 20:
        begin = megabytes()
    if step % 60 == 0:
        print(f"step {step} loss {loss.item():.4f} patches held {len(store.held)}")
print(f"loss {loss.item():.4f}, grown by {megabytes() - begin:.0f} MB")
