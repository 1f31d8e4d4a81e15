import tomllib
from pathlib import Path

import torch
from torch import nn

with open(Path(__file__).with_name("rnn.toml"), "rb") as fh:
    conf = tomllib.load(fh)


def rivers(n):
    """Water that enters, and how much of it is there at the end."""
    rain = torch.rand(n, conf["length"], 1)
    weight = 0.8 ** torch.arange(conf["length"]).flip(0)[None, :, None]
    return rain - 0.5, ((rain - 0.5) * weight).sum(1)


class Gauge(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.cell = nn.RNN(1, hidden, nonlinearity="relu", batch_first=True)
        nn.init.eye_(self.cell.weight_hh_l0)
        with torch.no_grad():
            self.cell.weight_hh_l0.mul_(1.01)
        self.read = nn.Linear(hidden, 1)

    def forward(self, rain):
        return self.read(self.cell(rain)[0][:, -1])


torch.manual_seed(conf["seed"])
net = Gauge(conf["hidden"])
opt = torch.optim.SGD(net.parameters(), lr=conf["lr"])
for step in range(1, 301):
    rain, level = rivers(32)
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(rain), level)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), conf["max_norm"])
    opt.step()
    if step % 50 == 0:
        print(f"step {step} loss {loss.item():.4f}")
rain, level = rivers(500)
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(rain), level).item():.4f} (variance {level.var().item():.3f})")
