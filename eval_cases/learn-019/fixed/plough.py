import configparser
from pathlib import Path

import torch
from torch import nn

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("limits.ini"))
torch.manual_seed(55)
x = torch.randn(900, 7)
depth = (x[:, 0] * x[:, 1] + torch.relu(x[:, 2]) - x[:, 3])[:, None]
net = nn.Sequential(nn.Linear(7, 40), nn.ReLU(), nn.Linear(40, 1))
opt = torch.optim.SGD(net.parameters(), lr=ini.getfloat("fit", "rate"), momentum=ini.getfloat("fit", "momentum"))
for epoch in range(1, ini.getint("fit", "epochs") + 1):
    for rows in torch.randperm(700).split(50):
        loss = nn.functional.mse_loss(net(x[rows]), depth[rows])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), ini.getfloat("safety", "norm"))
        opt.step()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
with torch.no_grad():
    print(f"test mse {nn.functional.mse_loss(net(x[700:]), depth[700:]).item():.4f} variance {depth[700:].var().item():.3f}")
