import configparser
import time
from pathlib import Path

import torch
from meter import megabytes
from torch import nn

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("phases.ini"))


class Lagoon(nn.Module):
    def __init__(self, width=192):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(10, width)] + [nn.Linear(width, width) for _ in range(4)])
        self.out = nn.Linear(width, 1)

    def forward(self, h):
        for layer in self.layers:
            h = torch.nn.functional.silu(layer(h))
        return self.out(h)[:, 0]


def water(n):
    x = torch.randn(n, 10)
    return x, x[:, 0] * x[:, 1] + torch.tanh(x[:, 2])


def phase(name, net, x, y):
    with torch.set_grad_enabled(ini[name].getboolean("graph")):
        return torch.nn.functional.mse_loss(net(x), y)


torch.manual_seed(20)
net = Lagoon()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
held = water(ini["check"].getint("rows"))
spent, begin = 0.0, 0.0
for step in range(1, ini["train"].getint("steps") + 1):
    loss = phase("train", net, *water(64))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step == 10:
        begin = megabytes()
    if step % ini["check"].getint("every") == 0:
        clock = time.perf_counter()
        value = phase("check", net, *held).item()
        spent += time.perf_counter() - clock
        print(f"step {step} loss {loss.item():.3f} validation {value:.3f}")
print(f"validation took {spent:.2f} s and {megabytes() - begin:.0f} MB, mse {value:.3f}")
