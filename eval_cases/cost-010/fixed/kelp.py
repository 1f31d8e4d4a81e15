import configparser
import time
from pathlib import Path

import torch
from torch import nn

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("solver.ini"))
conf = ini["solver"]
torch.manual_seed(3)
x = torch.randn(1000, 8)
y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].abs()], 1)
net = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
opt = torch.optim.Adam(net.parameters(), lr=conf.getfloat("lr"))
for epoch in range(1, conf.getint("epochs") + 1):
    clock = time.perf_counter()
    for rows in torch.randperm(800).split(conf.getint("batch")):
        opt.zero_grad()
        answers = [net(part) for part in x[rows].split(conf.getint("piece"))]
        loss = nn.functional.mse_loss(torch.cat(answers), y[rows])
        loss.backward()
        opt.step()
    print(f"epoch {epoch} loss {loss.item():.4f} {1000 * (time.perf_counter() - clock) / 8:.2f} ms a step")
